import { Alert, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconArrowRight, IconPlayerPause } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Route } from '#client';
import { FigureTiles } from '@/components/figure-tiles';
import { Mono } from '@/components/mono';
import { ProblemAlert } from '@/components/problem-alert';
import { Sparkline } from '@/components/sparkline';
import { ResourceWay } from '@/components/topology/resource-way';
import { RevisionLine } from '@/features/resources/revision-line';
import { RoutePlugins } from '@/features/resources/summary/route-plugins';
import { wordsOf, useRouteWay, type RouteWay } from '@/features/resources/summary/route-way';
import { TryIt } from '@/features/resources/try-it';
import { getTraffic, isReported, TRAFFIC_POLL_MILLIS } from '@/lib/api/get-traffic';
import { getRevisionAcks, isPending } from '@/lib/api/get-revision-acks';
import { newestChangesOf } from '@/lib/api/list-revisions';
import { millis, percent, short } from '@/lib/figures';
import { kinds } from '@/lib/kinds';
import { useFallBackInterval } from '@/lib/liveness';
import { useUnseenTraffic } from '@/lib/may-change';
import type { Resourced } from '@/lib/topology';
import { many, t } from '@/locales';

/** A route at a glance: what it takes, where that goes, what happens on the way, and how it went lately. */
export function RouteSummary({ id, resource: route }: { readonly id: string; readonly resource: Route }) {
  const way = useRouteWay(route);
  const unseen = useUnseenTraffic(route.labels ?? {});
  return (
    <Stack gap="md">
      <Sentence route={route} way={way} />
      {way.error !== null && <ProblemAlert error={way.error} />}
      <Off route={route} way={way} />
      <ResourceWay lane="routes" id={id} resources={resourcesOf(id, route, way)} whole />
      <TryIt route={route} />
      {unseen === undefined && <Figures id={id} />}
      <RoutePlugins id={id} route={route} way={way} />
      <Changes id={id} />
    </Stack>
  );
}

/** What is loaded of the way. */
function resourcesOf(
  id: string,
  route: Route,
  { router, proxyServer, pass, upstreams }: RouteWay,
): Resourced {
  return {
    proxyServers: proxyServer === undefined ? [] : [proxyServer],
    routers: router === undefined ? [] : [router],
    routes: [{ ...route, id }],
    proxyPasses: pass === undefined ? [] : [pass],
    upstreams: upstreams.flatMap(({ upstream }) => (upstream === undefined ? [] : [upstream])),
  };
}

function Sentence({ route, way }: { route: Route; way: RouteWay }) {
  const { methods, address, conditions, target } = wordsOf(route, way.router, way.pass);
  return (
    <Text size="lg" style={{ overflowWrap: 'anywhere' }}>
      <strong>{methods}</strong> <Mono>{address}</Mono>
      {conditions}{' '}
      <IconArrowRight size={18} role="img" aria-label={t('goes to')} style={{ verticalAlign: -3 }} />{' '}
      <strong>{target}</strong>
    </Text>
  );
}

/** Why no request comes here, if that is so by the configuration. */
function Off({ route, way: { router, proxyServer } }: { route: Route; way: RouteWay }) {
  const off = [
    ...(route.enabled === false ? [t('This route')] : []),
    ...(router?.enabled === false ? [t('Its router')] : []),
    ...(proxyServer?.enabled === false ? [t('Its proxy server')] : []),
  ];
  return off.length === 0 ? null : (
    <Alert color="yellow" icon={<IconPlayerPause />} title={t('No request comes here')}>
      {off.map((what) => t('{what} is disabled.', { what })).join(' ')}
    </Alert>
  );
}

function Figures({ id }: { id: string }) {
  const { data } = useQuery({
    ...getTraffic({ kind: 'route', id }, 'hour'),
    refetchInterval: useFallBackInterval(TRAFFIC_POLL_MILLIS.hour),
  });
  if (data === undefined) {
    return null;
  }
  const { total, slots } = data;
  const failed = total.status5xx + total.unanswered;
  const line = (figure: (slot: (typeof slots)[number]) => number | undefined, bad = false) => (
    <Sparkline values={slots.map(figure)} bad={bad} />
  );
  const tiles = [
    {
      name: t('Requests'),
      value: short(total.requests),
      more: t('last hour'),
      picture: line(({ figures }) => figures?.perSecond),
    },
    {
      name: t('Failed'),
      value: percent(failed, total.requests),
      more: t('{status5xx} answered 5xx, {unanswered} without an answer', {
        status5xx: short(total.status5xx),
        unanswered: short(total.unanswered),
      }),
      bad: failed > 0,
      picture: line(
        (slot) => (isReported(slot) ? slot.figures.status5xx + slot.figures.unanswered : undefined),
        failed > 0,
      ),
    },
    {
      name: 'p50',
      value: total.requests === 0 ? '–' : millis(total.p50Millis),
      more: t('half were faster'),
      picture: line(({ figures }) => (figures?.requests === 0 ? undefined : figures?.p50Millis)),
    },
    {
      name: 'p95',
      value: total.requests === 0 ? '–' : millis(total.p95Millis),
      more: t('95 % were faster'),
      picture: line(({ figures }) => (figures?.requests === 0 ? undefined : figures?.p95Millis)),
    },
  ];
  return <FigureTiles tiles={tiles} cols={{ base: 2, md: 4 }} />;
}

function Changes({ id }: { id: string }) {
  const { data = [] } = useQuery(newestChangesOf(kinds.routes.contractKind, id));
  if (data.length === 0) {
    return null;
  }
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="changes">
      <Title order={2} size="h5" id="changes" mb={4}>
        {t('Latest changes')}
      </Title>
      {data.map((revision, index) => (
        <Group key={revision.number} gap="xs" py={3}>
          <RevisionLine revision={revision} />
          {index === 0 && <ServedBy number={revision.number} />}
        </Group>
      ))}
    </Paper>
  );
}

/** Which gateways took the newest change; it counts on while they answer. */
function ServedBy({ number }: { number: number }) {
  const fallBack = useFallBackInterval(TRAFFIC_POLL_MILLIS.hour);
  const { data } = useQuery({
    ...getRevisionAcks(number),
    refetchInterval: ({ state }) => isPending(state.data) && fallBack,
  });
  const count = data?.gateways.length ?? 0;
  return (
    data !== undefined &&
    count > 0 && (
      <Text size="sm" role="status" c={data.acknowledged < count ? 'var(--mantine-color-error)' : undefined}>
        {many(count, 'served by {part} of {count} gateway', 'served by {part} of {count} gateways', {
          part: data.acknowledged,
        })}
      </Text>
    )
  );
}
