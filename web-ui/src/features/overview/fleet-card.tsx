import { Anchor, Group, Paper, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '@/components/empty-state';
import { Mono } from '@/components/mono';
import { QueryView } from '@/components/query-view';
import { TableScroller } from '@/components/table-scroller';
import { StateBadge } from '@/components/state-badge';
import { listGateways } from '@/lib/api/list-gateways';
import { t } from '@/locales';

const SHOWN_MAX = 6;

export function FleetCard() {
  const query = useQuery(listGateways);
  return (
    <Paper withBorder component="section" aria-labelledby="fleet">
      <Group justify="space-between" p="md" pb="xs">
        <Title order={2} size="h5" id="fleet">
          {t('Gateways')}
        </Title>
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/gateways" />}>
          {t('All gateways')}
        </Anchor>
      </Group>
      <QueryView query={query} lines={3}>
        {(gateways) =>
          gateways.length === 0 ? (
            <EmptyState title={t('No gateway yet')}>
              {t('Start a gateway with this control plane in its list. It then appears here.')}
            </EmptyState>
          ) : (
            <TableScroller minWidth={300} label={t('Gateways')}>
              <Table verticalSpacing={7} horizontalSpacing="sm">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('Gateway')}</Table.Th>
                    <Table.Th>{t('Revision')}</Table.Th>
                    <Table.Th>{t('State')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {gateways.slice(0, SHOWN_MAX).map(({ id, host, revision, state }) => (
                    <Table.Tr key={id}>
                      <Table.Td>
                        <Mono long>{id}</Mono>
                        <Text size="xs" c="dimmed">
                          {host}
                        </Text>
                      </Table.Td>
                      <Table.Td>{revision === 0 ? t('none') : revision}</Table.Td>
                      <Table.Td>
                        <StateBadge state={state} />
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
