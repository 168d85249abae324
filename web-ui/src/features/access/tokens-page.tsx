import { ActionIcon, Button, Paper, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiToken } from '#client';
import { EmptyState } from '@/components/empty-state';
import { Mono } from '@/components/mono';
import { PageHeader } from '@/components/page-header';
import { QueryView } from '@/components/query-view';
import { TimeAgo } from '@/components/time-ago';
import { ConfirmDialog } from '@/features/access/confirm-dialog';
import { TokenDialog } from '@/features/access/token-dialog';
import { listApiTokens, useDeleteApiToken } from '@/lib/api/api-tokens';
import { kindOf, kinds } from '@/lib/kinds';
import { roleNames } from '@/lib/roles';

export function TokensPage() {
  const query = useQuery(listApiTokens);
  const deletion = useDeleteApiToken();
  const [chosen, setChosen] = useState('');
  const [creating, { open: create, close: closeCreator }] = useDisclosure();
  const [asking, { open: ask, close: closeQuestion }] = useDisclosure();
  const button = (
    <Button leftSection={<IconPlus size={16} />} onClick={create}>
      New token
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API tokens"
        subtitle="What scripts and pipelines send as the bearer token of the admin API."
        actions={button}
      />
      <Paper withBorder>
        <QueryView query={query}>
          {(tokens) =>
            tokens.length === 0 ? (
              <EmptyState title="No token yet" action={button}>
                Each has a role of its own, may expire, and can be revoked without touching the others.
              </EmptyState>
            ) : (
              <Table.ScrollContainer minWidth={760} type="native">
                <Table verticalSpacing={7} horizontalSpacing="md" highlightOnHover>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>Token</Table.Th>
                      <Table.Th>Role</Table.Th>
                      <Table.Th>May change</Table.Th>
                      <Table.Th>Expires</Table.Th>
                      <Table.Th>Last used</Table.Th>
                      <Table.Th>Created by</Table.Th>
                      <Table.Th w={84}>Actions</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {tokens.map((token) => (
                      <Table.Tr key={token.name}>
                        <Table.Td>
                          <Mono whole>{token.name}</Mono>
                        </Table.Td>
                        <Table.Td>{roleNames[token.role]}</Table.Td>
                        <Table.Td>{scopeOf(token)}</Table.Td>
                        <Table.Td>
                          {token.expiresAt === undefined
                            ? 'never'
                            : new Date(token.expiresAt).toLocaleString()}
                        </Table.Td>
                        <Table.Td>
                          <Text size="sm" c="dimmed">
                            {token.lastUsedAt === undefined ? 'never' : <TimeAgo at={token.lastUsedAt} />}
                          </Text>
                        </Table.Td>
                        <Table.Td>{token.createdBy}</Table.Td>
                        <Table.Td>
                          <ActionIcon
                            variant="subtle"
                            color="gray"
                            aria-label={`Revoke ${token.name}`}
                            title="Revoke"
                            onClick={() => {
                              setChosen(token.name);
                              deletion.reset();
                              ask();
                            }}
                          >
                            <IconTrash size={16} />
                          </ActionIcon>
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
            )
          }
        </QueryView>
      </Paper>
      <TokenDialog opened={creating} onClose={closeCreator} />
      <ConfirmDialog
        title={`Revoke token ${chosen}?`}
        action="Revoke"
        opened={asking}
        onClose={closeQuestion}
        error={deletion.error}
        pending={deletion.isPending}
        onConfirm={() => deletion.mutate(chosen, { onSuccess: closeQuestion })}
      >
        Whoever uses it is refused from now on.
      </ConfirmDialog>
    </>
  );
}

function scopeOf({ role, kinds: only = [], labels = {} }: ApiToken): string {
  if (role === 'VIEWER') {
    return 'nothing';
  }
  const what = only.length === 0 ? 'everything' : only.map((kind) => kinds[kindOf(kind)].plural).join(', ');
  const marks = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return marks.length === 0 ? what : `${what} labelled ${marks.join(', ')}`;
}
