import { Badge, Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '#client';
import { ConfirmDialog } from '@/components/confirm-dialog';
import type { Column } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { PageHeader } from '@/components/page-header';
import { RowAction } from '@/components/row-action';
import { TableCard } from '@/components/table-card';
import { LastTime } from '@/components/time-ago';
import { UserDialog } from '@/features/access/user-dialog';
import { listUsers, useDeleteUser } from '@/lib/api/users';
import { roleMeanings, roleNames } from '@/lib/roles';
import { t } from '@/locales';

export function UsersPage() {
  const query = useQuery(listUsers);
  const deletion = useDeleteUser();
  const [chosen, setChosen] = useState<User>();
  const [editing, { open: edit, close: closeEditor }] = useDisclosure();
  const [asking, { open: ask, close: closeQuestion }] = useDisclosure();
  const columns: readonly Column<User>[] = [
    { header: t('User'), cell: ({ name }) => name },
    { header: t('Role'), cell: ({ role }) => <span title={roleMeanings[role]}>{roleNames[role]}</span> },
    { header: t('State'), cell: (user) => <UserState user={user} /> },
    { header: t('Last login'), cell: ({ lastLoginAt }) => <LastTime at={lastLoginAt} /> },
    {
      header: t('Actions'),
      width: 84,
      cell: (user) => (
        <Group gap={2} wrap="nowrap">
          <RowAction
            title={t('Edit')}
            subject={user.name}
            icon={IconPencil}
            onClick={() => {
              setChosen(user);
              edit();
            }}
          />
          <RowAction
            title={t('Delete')}
            subject={user.name}
            icon={IconTrash}
            onClick={() => {
              setChosen(user);
              deletion.reset();
              ask();
            }}
          />
        </Group>
      ),
    },
  ];
  return (
    <>
      <PageHeader
        title={t('Users')}
        subtitle={t('People who log in to this dashboard with a password.')}
        actions={
          <Button
            leftSection={<IconPlus size={16} />}
            onClick={() => {
              setChosen(undefined);
              edit();
            }}
          >
            {t('New user')}
          </Button>
        }
      />
      <TableCard
        query={query}
        columns={columns}
        rowKey={({ name }) => name}
        empty={
          <EmptyState title={t('No user yet')}>
            {t('Until you create a user, only the admin token gives access.')}
          </EmptyState>
        }
      />
      <UserDialog user={chosen} opened={editing} onClose={closeEditor} />
      <ConfirmDialog
        title={t('Delete user {name}?', { name: chosen?.name ?? '' })}
        action={t('Delete')}
        opened={asking}
        onClose={closeQuestion}
        doing={deletion}
        onConfirm={() => {
          if (chosen !== undefined) {
            deletion.mutate(chosen.name, { onSuccess: closeQuestion });
          }
        }}
      >
        {t('The user is logged out everywhere and cannot log in again. The history keeps the name.')}
      </ConfirmDialog>
    </>
  );
}

function UserState({ user }: { user: User }) {
  if (user.disabled) {
    return (
      <Badge color="gray" variant="light" tt="none">
        {t('Disabled')}
      </Badge>
    );
  }
  return user.mustChangePassword ? (
    <Badge color="yellow" variant="light" tt="none" title={t('Another user set the password')}>
      {t('Must change password')}
    </Badge>
  ) : (
    <Badge color="green" variant="light" tt="none">
      {t('Active')}
    </Badge>
  );
}
