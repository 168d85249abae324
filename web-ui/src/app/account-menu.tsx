import { Box, Button, Menu, Text } from '@mantine/core';
import {
  IconLanguage,
  IconLock,
  IconLogout,
  IconLogout2,
  IconMoon,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { logOut } from '@/lib/api/sessions';
import classes from '@/app/shell.module.css';
import { useScheme } from '@/app/use-scheme';
import { roleNames } from '@/lib/roles';
import { useSession } from '@/lib/session';
import { choose, language, languages, t, type Language } from '@/locales';

const others = (Object.keys(languages) as Language[]).filter((each) => each !== language);

/** Who is logged in, and what concerns them alone; on phones also what the header has no room for. */
export function AccountMenu() {
  const { account } = useSession();
  const { dark, switchScheme } = useScheme();
  const name = account?.credential === 'SETTINGS' ? t('Admin token') : (account?.name ?? '');
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          px={6}
          leftSection={<IconUserCircle size={18} />}
          className={classes.iconOnPhones}
          aria-label={t('Account {name}', { name })}
        >
          <span className={classes.word}>{name}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {account !== undefined && (
          <Menu.Label>
            <Text size="sm" fw={550}>
              {name}
            </Text>
            {roleNames[account.role]}
            {account.credential === 'SETTINGS' && t(', by the admin token of the settings')}
            {account.credential === 'TOKEN' && t(', by an API token')}
          </Menu.Label>
        )}
        {account?.credential === 'SESSION' && (
          <>
            <Menu.Item
              leftSection={<IconLock size={16} />}
              renderRoot={(props) => <Link {...props} to="/password" />}
            >
              {t('Change password')}
            </Menu.Item>
            <Menu.Item leftSection={<IconLogout2 size={16} />} onClick={() => void logOut(true)}>
              {t('Log out everywhere')}
            </Menu.Item>
          </>
        )}
        <Box hiddenFrom="xs">
          <Menu.Item
            leftSection={dark ? <IconSun size={16} /> : <IconMoon size={16} />}
            onClick={switchScheme}
          >
            {dark ? t('Use light colours') : t('Use dark colours')}
          </Menu.Item>
          {others.map((each) => (
            <Menu.Item
              key={each}
              lang={each}
              leftSection={<IconLanguage size={16} />}
              onClick={() => choose(each)}
            >
              {languages[each]}
            </Menu.Item>
          ))}
          <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void logOut()}>
            {t('Log out')}
          </Menu.Item>
        </Box>
      </Menu.Dropdown>
    </Menu>
  );
}
