import { Alert, Group, Paper, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { NodeHealth, NodeView } from '#client';
import { Mono } from '@/components/mono';
import { NodeStateBadge } from '@/components/node-state-badge';
import { QueryView } from '@/components/query-view';
import { TimeAgo } from '@/components/time-ago';
import { getUpstreamHealth } from '@/lib/api/get-upstream-health';

/** What the gateways hold of each node of an upstream. */
export function UpstreamHealth({ id }: { id: string }) {
  const query = useQuery(getUpstreamHealth(id));
  return (
    <Paper withBorder mb="md" component="section" aria-label="Health of the nodes">
      <QueryView query={query}>
        {({ nodes = [], disagreement }) => (
          <>
            {disagreement && (
              <Alert color="yellow" variant="light" title="Gateways differ">
                Not all gateways see the same state; the worst is shown.
              </Alert>
            )}
            <Table.ScrollContainer minWidth={640} type="native">
              <Table verticalSpacing={7} horizontalSpacing="md">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Node</Table.Th>
                    <Table.Th>State</Table.Th>
                    <Table.Th>Gateways</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {nodes.map((node) => (
                    <NodeRow key={node.url} node={node} />
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          </>
        )}
      </QueryView>
    </Paper>
  );
}

function NodeRow({ node }: { node: NodeHealth }) {
  const views = node.gateways ?? [];
  return (
    <Table.Tr>
      <Table.Td>
        <Mono whole>{node.url}</Mono>
      </Table.Td>
      <Table.Td>
        <NodeStateBadge state={node.state} />
      </Table.Td>
      <Table.Td>
        {views.length === 0 ? (
          <Text size="sm" c="dimmed">
            No gateway uses it
          </Text>
        ) : (
          views.map((view) => <View key={view.gatewayId} view={view} differs={node.disagreement} />)
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function View({ view, differs }: { view: NodeView; differs: boolean }) {
  return (
    <Group gap="xs" wrap="nowrap">
      <Mono>{view.gatewayId}</Mono>
      {differs && <NodeStateBadge state={view.state} />}
      <Text size="sm" c="dimmed">
        <TimeAgo at={view.since} />
        {view.reason !== '' && `: ${view.reason}`}
      </Text>
    </Group>
  );
}
