import { Group, Paper, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { EmptyState } from '@/components/empty-state';
import { ReferenceInput } from '@/components/form/reference-input';
import { PageHeader } from '@/components/page-header';
import { QueryView } from '@/components/query-view';
import { TrafficCharts } from '@/components/traffic-charts';
import { LastRequestsLink } from '@/components/requests/last-requests-link';
import { TrafficSlotsTable } from '@/features/traffic/traffic-slots-table';
import { TrafficTop } from '@/features/traffic/traffic-top';
import { TrafficTotals } from '@/components/traffic-totals';
import { spanNames } from '@/features/traffic/traffic-columns';
import type { TrafficView } from '@/features/traffic/traffic-view';
import { getTraffic, TRAFFIC_POLL_MILLIS, trafficKinds } from '@/lib/api/get-traffic';
import { getResource } from '@/lib/api/get-resource';
import { listGateways } from '@/lib/api/list-gateways';
import { useFallBackInterval } from '@/lib/liveness';
import { useLimit, useUnseenTraffic } from '@/lib/may-change';
import { t } from '@/locales';

interface TrafficPageProps {
  readonly view: TrafficView;
  readonly onView: (view: TrafficView) => void;
}

export function TrafficPage({ view, onView }: TrafficPageProps) {
  const { kind, id, span = 'hour' } = view;
  const unseen = useUnseen(view);
  const query = useQuery({
    ...getTraffic({ kind, id }, span),
    refetchInterval: useFallBackInterval(TRAFFIC_POLL_MILLIS[span]),
    enabled: unseen.known && unseen.why === undefined,
  });
  const calls = kind === 'upstream' && id !== undefined;
  const top = <TrafficTop kind={kind ?? 'route'} view={view} onView={onView} />;
  return (
    <>
      <PageHeader
        title={t('Traffic')}
        subtitle={
          calls
            ? t('Calls to the nodes of the upstream, up to the head of the answer.')
            : t('Requests up to the end of the response.')
        }
        actions={
          <>
            {kind !== 'upstream' && <LastRequestsLink kind={kind} id={id} />}
            <SegmentedControl
              aria-label={t('Span')}
              value={span}
              onChange={(value) => onView({ ...view, span: value === 'day' ? 'day' : undefined })}
              data={[
                { value: 'hour', label: t('Last hour') },
                { value: 'day', label: t('Last day') },
              ]}
            />
          </>
        }
      />
      <Subject view={view} onView={onView} />
      <Stack gap="md">
        {unseen.why !== undefined && (
          <>
            <Text size="sm" c="dimmed">
              {unseen.why}
            </Text>
            {top}
          </>
        )}
        {unseen.why === undefined && (
          <QueryView query={query}>
            {(traffic) =>
              traffic.total.requests === 0 ? (
                <>
                  <Paper withBorder>
                    <EmptyState title={t('No traffic')}>
                      {calls
                        ? t('No call was made in the last {span}. Figures arrive every five seconds.', {
                            span: spanNames[span],
                          })
                        : t('No request came in the last {span}. Figures arrive every five seconds.', {
                            span: spanNames[span],
                          })}
                    </EmptyState>
                  </Paper>
                  {top}
                </>
              ) : (
                <>
                  <TrafficTotals total={traffic.total} what={calls ? t('Calls') : t('Requests')} />
                  <TrafficCharts traffic={traffic} />
                  {top}
                  <TrafficSlotsTable slots={traffic.slots} />
                </>
              )
            }
          </QueryView>
        )}
      </Stack>
    </>
  );
}

/** Why a token may not see the figures of a route or an upstream: only those with its labels are its own. */
function useUnseen({ kind, id = '' }: TrafficView): {
  readonly known: boolean;
  readonly why: string | undefined;
} {
  const owned = kind === 'route' ? 'routes' : 'upstreams';
  const limited = useLimit().labels !== undefined && id !== '' && (kind === 'route' || kind === 'upstream');
  const { data, error } = useQuery({ ...getResource(owned, id), enabled: limited });
  const why = useUnseenTraffic(data?.value.labels ?? {});
  return limited
    ? {
        known: data !== undefined || error !== null,
        why: data === undefined && error === null ? undefined : why,
      }
    : { known: true, why: undefined };
}

function Subject({ view, onView }: TrafficPageProps) {
  const { kind, id } = view;
  const gateways = useQuery(listGateways).data ?? [];
  const choose = (chosen: string | undefined) => onView({ ...view, id: chosen });
  return (
    <Group mb="md" align="flex-end" gap="sm">
      <SegmentedControl
        aria-label={t('Figures of')}
        value={kind ?? 'all'}
        onChange={(value) =>
          onView({ ...view, kind: trafficKinds.find((one) => one === value), id: undefined })
        }
        data={[
          { value: 'all', label: t('All') },
          { value: 'route', label: t('Route') },
          { value: 'upstream', label: t('Upstream') },
          { value: 'gateway', label: t('Gateway') },
        ]}
      />
      {kind === 'gateway' && (
        <Select
          aria-label={t('Gateway')}
          placeholder={t('Any gateway')}
          data={[...new Set([...gateways.map((gateway) => gateway.id), ...(id === undefined ? [] : [id])])]}
          value={id ?? null}
          onChange={(value) => choose(value ?? undefined)}
          clearable
        />
      )}
      {(kind === 'route' || kind === 'upstream') && (
        <ReferenceInput
          key={kind}
          kind={kind === 'route' ? 'routes' : 'upstreams'}
          aria-label={kind === 'route' ? t('Route') : t('Upstream')}
          value={id ?? ''}
          onChange={choose}
          clearable
          hideLink
        />
      )}
    </Group>
  );
}
