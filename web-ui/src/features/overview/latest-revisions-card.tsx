import { Anchor, Group, Paper, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { EmptyState } from '@/components/empty-state';
import { QueryView } from '@/components/query-view';
import { TableScroller } from '@/components/table-scroller';
import { TimeAgo } from '@/components/time-ago';
import { latestRevisions } from '@/lib/api/list-revisions';
import { whoOf } from '@/lib/who';
import { t } from '@/locales';

// After what the first load is for.
const RevisionWords = lazy(async () => ({
  default: (await import('@/features/overview/revision-words')).RevisionWords,
}));

export function LatestRevisionsCard() {
  const query = useQuery(latestRevisions);
  return (
    <Paper withBorder component="section" aria-labelledby="latest-revisions">
      <Group justify="space-between" p="md" pb="xs">
        <Title order={2} size="h5" id="latest-revisions">
          {t('Latest revisions')}
        </Title>
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/revisions" />}>
          {t('All revisions')}
        </Anchor>
      </Group>
      <QueryView query={query} lines={3}>
        {(revisions) =>
          revisions.length === 0 ? (
            <EmptyState title={t('Nothing has changed yet')}>
              {t('Every save makes a revision. This list shows it.')}
            </EmptyState>
          ) : (
            <TableScroller minWidth={300} label={t('Latest revisions')}>
              <Table verticalSpacing={7} horizontalSpacing="sm">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('Revision')}</Table.Th>
                    <Table.Th>{t('What')}</Table.Th>
                    <Table.Th>{t('When')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {revisions.map(({ number, message, changes, author, committedAt }) => (
                    <Table.Tr key={number}>
                      <Table.Td>
                        <Anchor
                          size="sm"
                          renderRoot={(props) => (
                            <Link {...props} to="/revisions/$number" params={{ number: String(number) }} />
                          )}
                        >
                          {number}
                        </Anchor>
                      </Table.Td>
                      <Table.Td>
                        <Text size="sm" lineClamp={2}>
                          {message ?? (
                            <Suspense>
                              <RevisionWords number={number} count={changes} />
                            </Suspense>
                          )}
                        </Text>
                        <Text size="xs" c="dimmed">
                          {whoOf(author)}
                        </Text>
                      </Table.Td>
                      <Table.Td>
                        <Text size="sm" c="dimmed">
                          <TimeAgo at={committedAt} />
                        </Text>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </TableScroller>
          )
        }
      </QueryView>
    </Paper>
  );
}
