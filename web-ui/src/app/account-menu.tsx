import { Button, Menu, Text } from '@mantine/core';
import { IconLock, IconLogout2, IconUserCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { logOut } from '@/lib/api/sessions';
import classes from '@/app/shell.module.css';
import { roleNames } from '@/lib/roles';
import { useSession } from '@/lib/session';

/** Who is logged in, and what concerns them alone. */
export function AccountMenu() {
  const { account } = useSession();
  if (account === undefined) {
    return null;
  }
  const name = account.credential === 'SETTINGS' ? 'Admin token' : account.name;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          leftSection={<IconUserCircle size={16} />}
          aria-label={`Account ${name}`}
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
          {account.credential === 'SETTINGS' && ', by the admin token of the settings'}
          {account.credential === 'TOKEN' && ', by an API token'}
        </Menu.Label>
        {account.credential === 'SESSION' && (
          <>
            <Menu.Item
              leftSection={<IconLock size={16} />}
              renderRoot={(props) => <Link {...props} to="/password" />}
            >
              Change password
            </Menu.Item>
            <Menu.Item leftSection={<IconLogout2 size={16} />} onClick={() => void logOut(true)}>
              Log out everywhere
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
