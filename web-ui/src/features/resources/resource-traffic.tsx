import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { QueryView } from '@/components/query-view';
import { TrafficCharts } from '@/components/traffic-charts';
import { LastRequests } from '@/components/requests/last-requests';
import { TrafficTotals } from '@/components/traffic-totals';
import { getTraffic, TRAFFIC_POLL_MILLIS, type TrafficKind } from '@/lib/api/get-traffic';
import { useFallBackInterval } from '@/lib/liveness';
import { useUnseenTraffic } from '@/lib/may-change';
import { t } from '@/locales';

interface ResourceTrafficProps {
  readonly kind: TrafficKind;
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** What came to a resource in the last hour. */
export function ResourceTraffic({ labels, ...subject }: ResourceTrafficProps) {
  const unseen = useUnseenTraffic(labels);
  return unseen === undefined ? (
    <Seen {...subject} />
  ) : (
    <Text size="sm" c="dimmed">
      {unseen}
    </Text>
  );
}

function Seen({ kind, id }: Omit<ResourceTrafficProps, 'labels'>) {
  const query = useQuery({
    ...getTraffic({ kind, id }, 'hour'),
    refetchInterval: useFallBackInterval(TRAFFIC_POLL_MILLIS.hour),
  });
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('The last hour.')}{' '}
        <Anchor inherit renderRoot={(props) => <Link {...props} to="/traffic" search={{ kind, id }} />}>
          {t('Last day, and figures as a table')}
        </Anchor>
      </Text>
      <QueryView query={query}>
        {(traffic) => (
          <>
            <TrafficTotals total={traffic.total} what={kind === 'upstream' ? t('Calls') : t('Requests')} />
            <TrafficCharts traffic={traffic} />
          </>
        )}
      </QueryView>
      {kind === 'route' && (
        <section aria-labelledby="last-requests">
          <Group justify="space-between" mb="xs">
            <Title order={2} size="h5" id="last-requests">
              {t('Last requests')}
            </Title>
            <Anchor
              size="sm"
              renderRoot={(props) => <Link {...props} to="/requests" search={{ route: id }} />}
            >
              {t('More filters')}
            </Anchor>
          </Group>
          <LastRequests filter={{ route: id }} />
        </section>
      )}
    </Stack>
  );
}
