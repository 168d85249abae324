import { Anchor, Button, Group, Paper, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '@/components/empty-state';
import { PageHeader } from '@/components/page-header';
import { ProblemAlert } from '@/components/problem-alert';
import { QueryView } from '@/components/query-view';
import { TimeAgo } from '@/components/time-ago';
import { listRevisions } from '@/lib/api/list-revisions';

export function RevisionsPage() {
  const query = useInfiniteQuery(listRevisions);
  return (
    <>
      <PageHeader
        title="Revisions"
        subtitle="Each is one immutable state of the whole configuration, newest first."
      />
      <Paper withBorder>
        <QueryView query={query}>
          {({ pages }) => {
            const revisions = pages.flatMap((page) => page.items);
            return revisions.length === 0 ? (
              <EmptyState title="No revision yet">The first save makes the first one.</EmptyState>
            ) : (
              <Table.ScrollContainer minWidth={560} type="native">
                <Table verticalSpacing={7} horizontalSpacing="md" highlightOnHover>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th w={110}>Revision</Table.Th>
                      <Table.Th>Message</Table.Th>
                      <Table.Th ta="right" w={110}>
                        Changes
                      </Table.Th>
                      <Table.Th w={180}>Author</Table.Th>
                      <Table.Th w={160}>When</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {revisions.map((revision) => (
                      <Table.Tr key={revision.number}>
                        <Table.Td>
                          <Anchor
                            size="sm"
                            renderRoot={(props) => (
                              <Link
                                {...props}
                                to="/revisions/$number"
                                params={{ number: String(revision.number) }}
                              />
                            )}
                          >
                            Revision {revision.number}
                          </Anchor>
                        </Table.Td>
                        <Table.Td>
                          {revision.message ?? (
                            <Text size="sm" c="dimmed">
                              no message
                            </Text>
                          )}
                        </Table.Td>
                        <Table.Td ta="right">{revision.changes}</Table.Td>
                        <Table.Td>{revision.author}</Table.Td>
                        <Table.Td>
                          <Text size="sm" c="dimmed">
                            <TimeAgo at={revision.committedAt} />
                          </Text>
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
            );
          }}
        </QueryView>
      </Paper>
      {query.isFetchNextPageError && <ProblemAlert error={query.error} />}
      {query.hasNextPage && (
        <Group justify="center" mt="md">
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            Load more
          </Button>
        </Group>
      )}
    </>
  );
}
