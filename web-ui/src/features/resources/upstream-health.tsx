import { Alert, Anchor, Button, Group, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { NodeState, type NodeHealth, type NodeView } from '#client';
import { DataTable, type Column } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { Mono } from '@/components/mono';
import { NodeStateBadge } from '@/components/node-state-badge';
import { QueryView } from '@/components/query-view';
import { TimeAgo } from '@/components/time-ago';
import { useDraining } from '@/features/resources/draining';
import { getUpstreamHealth } from '@/lib/api/get-upstream-health';
import { number, rich, t } from '@/locales';
import { translateServer } from '@/locales/server';

const VIEWS_SHOWN = 3;

/** What the gateways hold of each node of an upstream. */
export function UpstreamHealth({ id }: { id: string }) {
  const query = useQuery(getUpstreamHealth(id));
  const draining = useDraining(id);
  const columns: readonly Column<NodeHealth>[] = [
    { header: t('Node'), cell: ({ url }) => <Mono whole>{url}</Mono> },
    { header: t('State'), cell: ({ state }) => <NodeStateBadge state={state} /> },
    { header: t('Gateways'), cell: ({ gateways = [] }) => <Views views={gateways} /> },
    {
      header: t('History'),
      width: 90,
      cell: ({ url }) => (
        <Anchor
          size="sm"
          aria-label={t('Changes of {url}', { url })}
          renderRoot={(props) => (
            <Link {...props} to="/upstreams/$id/health" params={{ id }} search={{ node: url }} />
          )}
        >
          {t('Changes')}
        </Anchor>
      ),
    },
  ];
  return (
    <Paper withBorder mb="md" component="section" aria-label={t('Health of the nodes')}>
      {draining.dialog}
      <Group justify="space-between" p="md" pb="xs">
        <Title order={2} size="h5">
          {t('Health of the nodes')}
        </Title>
        <Anchor
          size="sm"
          renderRoot={(props) => <Link {...props} to="/upstreams/$id/health" params={{ id }} />}
        >
          {t('All changes')}
        </Anchor>
      </Group>
      <QueryView query={query}>
        {({ nodes = [], disagreement }) => (
          <>
            {disagreement && (
              <Alert color="yellow" variant="light" title={t('Gateways differ')}>
                {t('Not all gateways see the same state; the worst is shown.')}
              </Alert>
            )}
            {nodes.length === 0 ? (
              <EmptyState title={t('No node yet')}>
                {t('The upstream has no nodes, or no gateway discovered any.')}
              </EmptyState>
            ) : (
              <DataTable
                label={t('Nodes')}
                columns={draining.column === undefined ? columns : [...columns, draining.column]}
                rows={nodes}
                rowKey={({ url }) => url}
              />
            )}
          </>
        )}
      </QueryView>
    </Paper>
  );
}

/** Which gateway sees what: by state where they differ, the worst first. */
function Views({ views }: { views: readonly NodeView[] }) {
  if (views.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('No gateway uses it')}
      </Text>
    );
  }
  const states = Object.values(NodeState).filter((one) => views.some(({ state }) => state === one));
  return states.map((one) => (
    <div key={one}>
      {states.length > 1 && (
        <Group gap="xs" wrap="nowrap">
          <NodeStateBadge state={one} />
          <Text size="sm">
            {t('to {part} of {all} gateways', {
              part: views.filter(({ state }) => state === one).length,
              all: views.length,
            })}
          </Text>
        </Group>
      )}
      <Alike views={views.filter(({ state }) => state === one)} />
    </div>
  ));
}

function Alike({ views }: { views: readonly NodeView[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? views : views.slice(0, VIEWS_SHOWN);
  return (
    <>
      {shown.map(({ gatewayId, since, reason }) => (
        <div key={gatewayId}>
          <Mono>{gatewayId}</Mono>
          <Text size="xs" c="dimmed">
            {reason === '' ? (
              <TimeAgo at={since} />
            ) : (
              rich('{what}: {reason}', { what: <TimeAgo at={since} />, reason: translateServer(reason) })
            )}
          </Text>
        </div>
      ))}
      {shown.length < views.length && (
        <Button mt={4} size="compact-xs" variant="default" onClick={() => setAll(true)}>
          {t('Show all {count}', { count: number(views.length) })}
        </Button>
      )}
    </>
  );
}
