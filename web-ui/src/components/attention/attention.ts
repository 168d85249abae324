import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Analysis, Gateway, NodeStanding, TrafficRank } from '#client';
import { getTopTraffic, TRAFFIC_POLL_MILLIS } from '@/lib/api/get-traffic';
import { FINDINGS_SUMMARIZED, summarizeFindings } from '@/lib/api/list-findings';
import { listGateways } from '@/lib/api/list-gateways';
import { listFailedNodes } from '@/lib/api/list-node-health';
import { percent, short } from '@/lib/figures';
import { capitalized, kindOf, kinds, type Kind } from '@/lib/kinds';
import { listed, many, number, t } from '@/locales';
import { translateServer } from '@/locales/server';

/** A route is named when so much of its requests failed. */
const FAILED_SHARE = 0.01;
const ROUTES_NAMED_MAX = 5;
const GATEWAYS_NAMED_MAX = 3;
const NODES_NAMED_MAX = 5;

/** Something that a person has to look at, with the page where one acts. */
export interface Concern {
  readonly grave: boolean;
  readonly text: string;
  readonly page:
    | { readonly to: '/gateways' }
    | { readonly to: '/analysis'; readonly search: { readonly severity: 'ERROR' | 'WARNING' } }
    | { readonly to: '/$kind/$id'; readonly params: { readonly kind: Kind; readonly id: string } }
    | { readonly to: '/upstreams/$id/health'; readonly params: { readonly id: string } }
    | { readonly to: '/upstreams' }
    | { readonly to: '/traffic'; readonly search: { readonly kind: 'route'; readonly id: string } };
}

export interface Attention {
  /** The grave ones first. */
  readonly concerns: readonly Concern[];
  /** What could not be asked, or is still being asked. */
  readonly unknown: readonly { readonly what: string; readonly error: Error | null }[];
  readonly gateways: readonly Gateway[];
}

/** What needs attention now: gateways, nodes, routes whose requests fail, and findings. */
export function useAttention(): Attention {
  const gateways = useQuery(listGateways);
  const nodes = useQuery(listFailedNodes);
  const failing = useFailingNow();
  const findings = useQuery(summarizeFindings);
  const concerns = [
    ...ofGateways(gateways.data ?? []),
    ...ofNodes(nodes.data ?? []),
    ...ofRoutes(failing.data ?? []),
    ...ofFindings(findings.data),
  ];
  const asked: readonly [string, Pick<UseQueryResult, 'data' | 'error'>][] = [
    [t('gateways'), gateways],
    [t('nodes'), nodes],
    [t('failing routes'), failing],
    [t('findings'), findings],
  ];
  return {
    concerns: concerns.toSorted((a, b) => Number(b.grave) - Number(a.grave)),
    unknown: asked
      .filter(([, { data }]) => data === undefined)
      .map(([what, { error }]) => ({ what, error: error ?? null })),
    gateways: gateways.data ?? [],
  };
}

/** Rates bring news of it. The interval is for a time without gateways, which then report none. */
function useFailingNow(): UseQueryResult<readonly TrafficRank[]> {
  return useQuery({
    ...getTopTraffic('route', 'now', 'failures', ROUTES_NAMED_MAX),
    refetchInterval: TRAFFIC_POLL_MILLIS.day,
  });
}

/** Routes whose requests failed in the last hour and do not fail now, in words. */
export function usePastFailures(): readonly Concern[] {
  const now = useFailingNow().data;
  const hour = useQuery({
    ...getTopTraffic('route', 'hour', 'failures', ROUTES_NAMED_MAX),
    refetchInterval: TRAFFIC_POLL_MILLIS.day,
  }).data;
  if (now === undefined || hour === undefined) {
    return [];
  }
  const failing = new Set(failedOf(now).map(({ id }) => id));
  return failedOf(hour)
    .filter(({ id }) => !failing.has(id))
    .map(({ id, requests, failed }) => ({
      grave: false,
      text: many(
        requests,
        'Route {id}: its only request in the last hour failed',
        'Route {id}: {percent} of {requests} requests failed in the last hour',
        { id, percent: percent(failed, requests), requests: short(requests) },
      ),
      page: { to: '/traffic', search: { kind: 'route', id } },
    }));
}

type Trouble = 'REFUSED' | 'OTHER_HISTORY' | 'LOST' | 'BEHIND';

/** The grave ones first. */
const troubles: Readonly<Record<Trouble, (count: number, names: string) => string>> = {
  REFUSED: (count, names) =>
    many(
      count,
      'Gateway {names} refuses the newest revision',
      'Gateways {names} refuse the newest revision',
      { names },
    ),
  OTHER_HISTORY: (count, names) =>
    many(count, 'Gateway {names} serves an unknown state', 'Gateways {names} serve an unknown state', {
      names,
    }),
  LOST: (count, names) =>
    many(
      count,
      'Gateway {names} has not reported for a while',
      'Gateways {names} have not reported for a while',
      { names },
    ),
  BEHIND: (count, names) =>
    many(count, 'Gateway {names} serves an older revision', 'Gateways {names} serve an older revision', {
      names,
    }),
};

export function ofGateways(gateways: readonly Gateway[]): readonly Concern[] {
  return (Object.keys(troubles) as Trouble[]).flatMap((state) => {
    const some = gateways.filter((gateway) => gateway.state === state).map(({ id }) => id);
    if (some.length === 0) {
      return [];
    }
    const more = some.length - GATEWAYS_NAMED_MAX;
    const first = listed(some.slice(0, GATEWAYS_NAMED_MAX));
    const names = more > 0 ? t('{names} and {more} more', { names: first, more: number(more) }) : first;
    const text = troubles[state](some.length, names);
    return [{ grave: state !== 'BEHIND', text, page: { to: '/gateways' } } satisfies Concern];
  });
}

/** Those that failed their checks before those that were ejected for a while. */
export function ofNodes(nodes: readonly NodeStanding[]): readonly Concern[] {
  const sick = nodes.toSorted((a, b) => Number(b.state === 'UNHEALTHY') - Number(a.state === 'UNHEALTHY'));
  const more = sick.length - NODES_NAMED_MAX;
  const named = sick.slice(0, NODES_NAMED_MAX).map(({ upstreamId, url, state }): Concern => {
    const values = { url, upstreamId };
    return {
      grave: state === 'UNHEALTHY',
      text:
        state === 'UNHEALTHY'
          ? t('Upstream {upstreamId}: node {url} is unhealthy', values)
          : t('Upstream {upstreamId}: node {url} is ejected, because its requests failed', values),
      page: { to: '/upstreams/$id/health', params: { id: upstreamId } },
    };
  });
  return more <= 0
    ? named
    : [
        ...named,
        {
          grave: sick.slice(NODES_NAMED_MAX).some(({ state }) => state === 'UNHEALTHY'),
          text: many(
            more,
            '{count} more node is unhealthy or ejected',
            '{count} more nodes are unhealthy or ejected',
          ),
          page: { to: '/upstreams' },
        },
      ];
}

/** The first ones each by itself, and how many more there are. */
export function ofFindings(analysis: Analysis | undefined): readonly Concern[] {
  const named = (analysis?.items ?? [])
    .filter(({ severity }) => severity !== 'INFO')
    .slice(0, FINDINGS_SUMMARIZED);
  const rest = (['ERROR', 'WARNING'] as const).flatMap((severity): readonly Concern[] => {
    const all = (severity === 'ERROR' ? analysis?.errors : analysis?.warnings) ?? 0;
    const count = all - named.filter((finding) => finding.severity === severity).length;
    const text =
      severity === 'ERROR'
        ? many(count, '{count} more error in the configuration', '{count} more errors in the configuration')
        : many(
            count,
            '{count} more warning in the configuration',
            '{count} more warnings in the configuration',
          );
    return count <= 0
      ? []
      : [{ grave: severity === 'ERROR', text, page: { to: '/analysis', search: { severity } } }];
  });
  return [
    ...named.map(({ severity, kind, id, detail }): Concern => ({
      grave: severity === 'ERROR',
      text: t('{kind} {id}: {detail}', {
        kind: capitalized(kinds[kindOf(kind)].singular),
        id,
        detail: translateServer(detail),
      }),
      page: { to: '/$kind/$id', params: { kind: kindOf(kind), id } },
    })),
    ...rest,
  ];
}

export function ofRoutes(ranks: readonly TrafficRank[]): readonly Concern[] {
  return failedOf(ranks).map(({ id, requests, failed }) => ({
    grave: true,
    text: many(
      requests,
      'Route {id}: its only request in the last 5 minutes failed',
      'Route {id}: {percent} of {requests} requests failed in the last 5 minutes',
      { id, percent: percent(failed, requests), requests: short(requests) },
    ),
    page: { to: '/traffic', search: { kind: 'route', id } },
  }));
}

/** Those of which a share failed that is worth a line. */
function failedOf(ranks: readonly TrafficRank[]) {
  return ranks
    .map(({ id, figures }) => ({
      id,
      requests: figures.requests,
      failed: figures.status5xx + figures.unanswered,
    }))
    .filter(({ requests, failed }) => failed > 0 && failed >= requests * FAILED_SHARE)
    .slice(0, ROUTES_NAMED_MAX);
}
