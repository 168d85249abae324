import { Paper, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '@/components/empty-state';
import { Mono } from '@/components/mono';
import { PageHeader } from '@/components/page-header';
import { QueryView } from '@/components/query-view';
import { StateBadge } from '@/components/state-badge';
import { TimeAgo } from '@/components/time-ago';
import { RefusalText } from '@/features/gateways/refusal-text';
import { listGateways } from '@/lib/api/list-gateways';

export function GatewaysPage() {
  const query = useQuery(listGateways);
  return (
    <>
      <PageHeader
        title="Gateways"
        subtitle="The instances that carry the traffic, as they report themselves."
      />
      <Paper withBorder>
        <QueryView query={query}>
          {(gateways) =>
            gateways.length === 0 ? (
              <EmptyState title="No gateway yet">
                Start one with this control plane in its list (<Mono>SIGMA_CONTROL_PLANES</Mono>) and a join
                token; it appears here by itself.
              </EmptyState>
            ) : (
              <Table.ScrollContainer minWidth={760} type="native">
                <Table verticalSpacing={7} horizontalSpacing="md" highlightOnHover>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>Gateway</Table.Th>
                      <Table.Th>State</Table.Th>
                      <Table.Th ta="right">Revision</Table.Th>
                      <Table.Th ta="right">Lag</Table.Th>
                      <Table.Th>Host</Table.Th>
                      <Table.Th>Version</Table.Th>
                      <Table.Th>Control plane</Table.Th>
                      <Table.Th>Last seen</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {gateways.map((gateway) => (
                      <Table.Tr key={gateway.id}>
                        <Table.Td>
                          <Mono whole>{gateway.id}</Mono>
                        </Table.Td>
                        <Table.Td>
                          <StateBadge state={gateway.state} />
                          {gateway.refusal !== undefined && <RefusalText refusal={gateway.refusal} />}
                        </Table.Td>
                        <Table.Td ta="right">{gateway.revision === 0 ? 'none' : gateway.revision}</Table.Td>
                        <Table.Td ta="right">{gateway.lag}</Table.Td>
                        <Table.Td>
                          <Mono whole>{gateway.host}</Mono>
                        </Table.Td>
                        <Table.Td>{gateway.version}</Table.Td>
                        <Table.Td>
                          <Mono>{gateway.controlPlane ?? 'none'}</Mono>
                        </Table.Td>
                        <Table.Td>
                          <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                            <TimeAgo at={gateway.lastSeen} />
                          </Text>
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
    </>
  );
}
