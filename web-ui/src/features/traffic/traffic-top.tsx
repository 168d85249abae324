import { Anchor, Group, Paper, SegmentedControl, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TrafficRank } from '#client';
import { DataTable, type Column } from '@/components/data-table';
import { QueryView } from '@/components/query-view';
import { FIGURES_WIDTH_MIN, figureColumns, spanNames } from '@/features/traffic/traffic-columns';
import type { TrafficView } from '@/features/traffic/traffic-view';
import {
  getTopTraffic,
  TRAFFIC_POLL_MILLIS,
  trafficOrders,
  type TrafficKind,
  type TrafficOrder,
} from '@/lib/api/get-traffic';
import { percent } from '@/lib/figures';
import { capitalized, kinds } from '@/lib/kinds';
import { useFallBackInterval } from '@/lib/liveness';
import { t } from '@/locales';

const names: Readonly<Record<TrafficKind, { readonly singular: string; readonly plural: string }>> = {
  route: kinds.routes,
  upstream: kinds.upstreams,
  gateway: { singular: t('gateway'), plural: t('gateways') },
};
const orderNames: Readonly<Record<TrafficOrder, string>> = {
  requests: t('Requests'),
  failures: t('Failures'),
  bytes: t('Bytes'),
};
const titles: Readonly<Record<TrafficOrder, (kinds: string) => string>> = {
  requests: (kinds) => t('Busiest {kinds}', { kinds }),
  failures: (kinds) => t('{kinds} with the most failures', { kinds: capitalized(kinds) }),
  bytes: (kinds) => t('{kinds} with the most bytes', { kinds: capitalized(kinds) }),
};

interface TrafficTopProps {
  readonly kind: TrafficKind;
  readonly view: TrafficView;
  readonly onView: (view: TrafficView) => void;
}

/** Which routes, upstreams or gateways have the most. */
export function TrafficTop({ kind, view, onView }: TrafficTopProps) {
  const { span = 'hour', by = 'requests' } = view;
  const query = useQuery({
    ...getTopTraffic(kind, span, by),
    refetchInterval: useFallBackInterval(TRAFFIC_POLL_MILLIS[span]),
  });
  const title = titles[by](names[kind].plural);
  const columns: readonly Column<TrafficRank>[] = [
    {
      header: capitalized(names[kind].singular),
      cell: ({ id }) => (
        <Anchor
          size="sm"
          renderRoot={(props) => <Link {...props} to="/traffic" search={{ ...view, kind, id }} />}
        >
          {nameOf(kind, id)}
        </Anchor>
      ),
    },
    {
      header: t('Failed'),
      right: true,
      cell: ({ figures }) => percent(figures.status5xx + figures.unanswered, figures.requests),
    },
    ...figureColumns,
  ];
  return (
    <Paper withBorder>
      <Group justify="space-between" p="md" pb={4} gap="xs">
        <Title order={2} size="h5">
          {title}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={t('Order by')}
          value={by}
          onChange={(value) =>
            onView({ ...view, by: trafficOrders.find((one) => one === value && one !== 'requests') })
          }
          data={trafficOrders.map((value) => ({ value, label: orderNames[value] }))}
        />
      </Group>
      <QueryView query={query} lines={3}>
        {(ranks) =>
          ranks.length === 0 ? (
            <Text size="sm" c="dimmed" p="md" pt={0}>
              {t('No requests in the last {span}.', { span: spanNames[span] })}
            </Text>
          ) : (
            <DataTable
              label={title}
              columns={columns}
              rows={ranks}
              rowKey={({ id }) => id}
              minWidth={FIGURES_WIDTH_MIN}
              dense
            />
          )
        }
      </QueryView>
    </Paper>
  );
}

function nameOf(kind: TrafficKind, id: string): string {
  if (id === 'none' && kind === 'route') {
    return t('matched no route');
  }
  return id === 'other' ? t('all others together') : id;
}
