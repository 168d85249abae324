import { Anchor, Group, Paper, SegmentedControl, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TrafficRank } from '#client';
import { DataTable, type Column } from '@/components/data-table';
import { QueryView } from '@/components/query-view';
import { FIGURES_WIDTH_MIN, figureColumns } from '@/features/traffic/traffic-columns';
import type { TrafficView } from '@/features/traffic/traffic-view';
import {
  getTopTraffic,
  TRAFFIC_POLL_MILLIS,
  trafficOrders,
  type TrafficKind,
  type TrafficOrder,
} from '@/lib/api/get-traffic';
import { percent } from '@/lib/figures';
import { capitalized } from '@/lib/kinds';
import { useFallBackInterval } from '@/lib/liveness';
import { t } from '@/locales';

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
  const title = titles[by](`${kind}s`);
  const columns: readonly Column<TrafficRank>[] = [
    {
      header: capitalized(kind),
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
          data={trafficOrders.map((value) => ({ value, label: capitalized(value) }))}
        />
      </Group>
      <QueryView query={query} lines={3}>
        {(ranks) =>
          ranks.length === 0 ? (
            <Text size="sm" c="dimmed" p="md" pt={0}>
              {t('No requests in the last {span}.', { span })}
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
