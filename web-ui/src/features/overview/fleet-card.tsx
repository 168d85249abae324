import { Anchor, Group, Paper, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '@/components/empty-state';
import { Mono } from '@/components/mono';
import { QueryView } from '@/components/query-view';
import { TableScroller } from '@/components/table-scroller';
import { StateBadge } from '@/components/state-badge';
import { listGateways } from '@/lib/api/list-gateways';

const SHOWN_MAX = 6;

export function FleetCard() {
  const query = useQuery(listGateways);
  return (
    <Paper withBorder component="section" aria-labelledby="fleet">
      <Group justify="space-between" p="md" pb="xs">
        <Title order={2} size="h5" id="fleet">
          Gateways
        </Title>
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/gateways" />}>
          All gateways
        </Anchor>
      </Group>
      <QueryView query={query} lines={3}>
        {(gateways) =>
          gateways.length === 0 ? (
            <EmptyState title="No gateway yet">
              Start one with this control plane in its list; it appears here.
            </EmptyState>
          ) : (
            <TableScroller minWidth={380} label="Gateways">
              <Table verticalSpacing={7} horizontalSpacing="md">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Gateway</Table.Th>
                    <Table.Th>Revision</Table.Th>
                    <Table.Th>State</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {gateways.slice(0, SHOWN_MAX).map(({ id, host, revision, state }) => (
                    <Table.Tr key={id}>
                      <Table.Td>
                        <Mono>{id}</Mono>
                        <Text size="xs" c="dimmed">
                          {host}
                        </Text>
                      </Table.Td>
                      <Table.Td>{revision}</Table.Td>
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
