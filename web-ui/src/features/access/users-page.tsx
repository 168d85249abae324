import { ActionIcon, Badge, Button, Group, Paper, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '#client';
import { PageHeader } from '@/components/page-header';
import { QueryView } from '@/components/query-view';
import { TimeAgo } from '@/components/time-ago';
import { ConfirmDialog } from '@/features/access/confirm-dialog';
import { UserDialog } from '@/features/access/user-dialog';
import { listUsers, useDeleteUser } from '@/lib/api/users';
import { roleMeanings, roleNames } from '@/lib/roles';

export function UsersPage() {
  const query = useQuery(listUsers);
  const deletion = useDeleteUser();
  const [chosen, setChosen] = useState<User>();
  const [editing, { open: edit, close: closeEditor }] = useDisclosure();
  const [asking, { open: ask, close: closeQuestion }] = useDisclosure();
  return (
    <>
      <PageHeader
        title="Users"
        subtitle="People who log in to this dashboard with a password."
        actions={
          <Button
            leftSection={<IconPlus size={16} />}
            onClick={() => {
              setChosen(undefined);
              edit();
            }}
          >
            New user
          </Button>
        }
      />
      <Paper withBorder>
        <QueryView query={query}>
          {(users) => (
            <Table.ScrollContainer minWidth={640} type="native">
              <Table verticalSpacing={7} horizontalSpacing="md" highlightOnHover>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>User</Table.Th>
                    <Table.Th>Role</Table.Th>
                    <Table.Th>State</Table.Th>
                    <Table.Th>Last login</Table.Th>
                    <Table.Th w={84}>Actions</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {users.map((user) => (
                    <Table.Tr key={user.name}>
                      <Table.Td>{user.name}</Table.Td>
                      <Table.Td title={roleMeanings[user.role]}>{roleNames[user.role]}</Table.Td>
                      <Table.Td>
                        <UserState user={user} />
                      </Table.Td>
                      <Table.Td>
                        <Text size="sm" c="dimmed">
                          {user.lastLoginAt === undefined ? 'never' : <TimeAgo at={user.lastLoginAt} />}
                        </Text>
                      </Table.Td>
                      <Table.Td>
                        <Group gap={2} wrap="nowrap">
                          <ActionIcon
                            variant="subtle"
                            color="gray"
                            aria-label={`Edit ${user.name}`}
                            title="Edit"
                            onClick={() => {
                              setChosen(user);
                              edit();
                            }}
                          >
                            <IconPencil size={16} />
                          </ActionIcon>
                          <ActionIcon
                            variant="subtle"
                            color="gray"
                            aria-label={`Delete ${user.name}`}
                            title="Delete"
                            onClick={() => {
                              setChosen(user);
                              deletion.reset();
                              ask();
                            }}
                          >
                            <IconTrash size={16} />
                          </ActionIcon>
                        </Group>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )}
        </QueryView>
      </Paper>
      <UserDialog key={chosen?.name ?? ''} user={chosen} opened={editing} onClose={closeEditor} />
      <ConfirmDialog
        title={`Delete user ${chosen?.name ?? ''}?`}
        action="Delete"
        opened={asking}
        onClose={closeQuestion}
        error={deletion.error}
        pending={deletion.isPending}
        onConfirm={() => {
          if (chosen !== undefined) {
            deletion.mutate(chosen.name, { onSuccess: closeQuestion });
          }
        }}
      >
        The user is logged out everywhere and can not log in again. The history keeps the name.
      </ConfirmDialog>
    </>
  );
}

function UserState({ user }: { user: User }) {
  if (user.disabled) {
    return (
      <Badge color="gray" variant="light" tt="none">
        Disabled
      </Badge>
    );
  }
  return user.mustChangePassword ? (
    <Badge color="yellow" variant="light" tt="none" title="The password was given by somebody else">
      Must change password
    </Badge>
  ) : (
    <Badge color="green" variant="light" tt="none">
      Active
    </Badge>
  );
}
