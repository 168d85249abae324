import { Group, Text, Title } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { NodeEventCause, NodeTransition } from '#client';
import type { Column } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { ChoiceFilter, ClearFilters, Filters, isFiltered } from '@/components/filters';
import { Mono } from '@/components/mono';
import { NodeStateBadge } from '@/components/node-state-badge';
import { PagedTable } from '@/components/paged-table';
import { LastTime } from '@/components/time-ago';
import { getUpstreamHealth, listNodeHistory, type NodeHistoryFilter } from '@/lib/api/get-upstream-health';
import { listGateways } from '@/lib/api/list-gateways';
import { t } from '@/locales';
import { translateServer } from '@/locales/server';

const causes: Readonly<Record<NodeEventCause, string>> = {
  ACTIVE: t('Health check'),
  PASSIVE: t('Requests'),
  CIRCUIT: t('Circuit breaker'),
  ADMIN: t('Configuration'),
};

const columns: readonly Column<NodeTransition>[] = [
  { header: t('When'), width: 150, cell: ({ event }) => <LastTime at={event.at} /> },
  { header: t('Node'), cell: ({ url }) => <Mono whole>{url}</Mono> },
  { header: t('Gateway'), cell: ({ gatewayId }) => <Mono long>{gatewayId}</Mono> },
  {
    header: t('Change'),
    cell: ({ event }) => (
      <>
        <Change {...event} />
        <Text size="xs" c="dimmed" mt={4}>
          {event.reason === ''
            ? causes[event.cause]
            : t('{what}: {reason}', { what: causes[event.cause], reason: translateServer(event.reason) })}
        </Text>
      </>
    ),
  },
  {
    header: t('State at all gateways'),
    cell: ({ state, disagreement }) => (
      <>
        <NodeStateBadge state={state} />
        {disagreement && <Text size="xs">{t('gateways differ')}</Text>}
      </>
    ),
  },
];

interface NodeHistoryProps {
  readonly id: string;
  readonly filter: NodeHistoryFilter;
  readonly onFilter: (filter: NodeHistoryFilter) => void;
}

/** What became of the nodes of an upstream, the last change first. */
export function NodeHistory({ id, filter, onFilter }: NodeHistoryProps) {
  const query = useInfiniteQuery(listNodeHistory(id, filter));
  const nodes = useQuery(getUpstreamHealth(id)).data?.nodes ?? [];
  const gateways = useQuery(listGateways).data ?? [];
  // Those that are gone can still be in the history.
  const loaded = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const choice = (key: keyof NodeHistoryFilter, label: string, values: readonly string[], width: number) => (
    <ChoiceFilter
      label={label}
      values={[...new Set([...values, ...(filter[key] === undefined ? [] : [filter[key]])])]}
      value={filter[key]}
      onChange={(value) => onFilter({ ...filter, [key]: value })}
      searchable
      w={width}
    />
  );
  return (
    <section aria-label={t('Changes')}>
      <Title order={2} size="h5" mt="lg" mb="xs">
        {t('Changes')}
      </Title>
      <Filters filter={filter}>
        {choice('node', t('Node'), [...nodes.map(({ url }) => url), ...loaded.map(({ url }) => url)], 300)}
        {choice(
          'gateway',
          t('Gateway'),
          [...gateways.map((gateway) => gateway.id), ...loaded.map(({ gatewayId }) => gatewayId)],
          220,
        )}
      </Filters>
      <PagedTable
        query={query}
        columns={columns}
        rowKey={({ url, gatewayId, event }) => `${event.at} ${gatewayId} ${url}`}
        label={t('Changes of nodes')}
        minWidth={900}
        empty={
          isFiltered(filter) ? (
            <EmptyState title={t('No change matches')} action={<ClearFilters onClear={() => onFilter({})} />}>
              {t('No such change was reported, or it is no longer stored.')}
            </EmptyState>
          ) : (
            <EmptyState title={t('No change yet')}>
              {t('This list shows when a gateway sees a node fail, recover or leave.')}
            </EmptyState>
          )
        }
      />
    </section>
  );
}

function Change({ from, to }: { from: NodeTransition['state']; to: NodeTransition['state'] }) {
  // A circuit breaker leaves the state as it is.
  return from === to ? (
    <NodeStateBadge state={to} />
  ) : (
    <Group gap={6}>
      <NodeStateBadge state={from} />
      <Group gap={6} wrap="nowrap">
        <IconArrowRight size={14} role="img" aria-label={t('to')} />
        <NodeStateBadge state={to} />
      </Group>
    </Group>
  );
}
