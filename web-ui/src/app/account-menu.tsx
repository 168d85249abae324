import { Button, Menu, Text } from '@mantine/core';
import { IconLock, IconLogout2, IconUserCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { logOut } from '@/lib/api/sessions';
import classes from '@/app/shell.module.css';
import { roleNames } from '@/lib/roles';
import { useSession } from '@/lib/session';
import { t } from '@/locales';

/** Who is logged in, and what concerns them alone. */
export function AccountMenu() {
  const { account } = useSession();
  if (account === undefined) {
    return null;
  }
  const name = account.credential === 'SETTINGS' ? t('Admin token') : account.name;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconUserCircle size={16} />}
          aria-label={t('Account {name}', { name })}
        >
          <span className={classes.word}>{name}</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={550}>
            {name}
          </Text>
          {roleNames[account.role]}
          {account.credential === 'SETTINGS' && t(', by the admin token of the settings')}
          {account.credential === 'TOKEN' && t(', by an API token')}
        </Menu.Label>
        {account.credential === 'SESSION' && (
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
      </Menu.Dropdown>
    </Menu>
  );
}
