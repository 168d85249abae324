import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Analysis, Gateway, TrafficRank } from '#client';
import { getTopTraffic } from '@/lib/api/get-traffic';
import { summarizeFindings } from '@/lib/api/list-findings';
import { listGateways } from '@/lib/api/list-gateways';
import { percent, short } from '@/lib/figures';
import { kindOf, kinds } from '@/lib/kinds';
import { listed, many, number, t } from '@/locales';
import { translateServer } from '@/locales/server';

/** A route is named when so much of its requests failed in the last hour. */
const FAILED_SHARE = 0.01;
const ROUTES_NAMED_MAX = 5;
const GATEWAYS_NAMED_MAX = 3;

/** Something that a person has to look at, with the page where one acts. */
export interface Concern {
  readonly grave: boolean;
  readonly text: string;
  readonly page:
    | { readonly to: '/gateways' }
    | { readonly to: '/analysis'; readonly search: { readonly severity: 'ERROR' | 'WARNING' } }
    | { readonly to: '/traffic'; readonly search: { readonly kind: 'route'; readonly id: string } };
}

export interface Attention {
  /** The grave ones first. */
  readonly concerns: readonly Concern[];
  /** What could not be asked, or is still being asked. */
  readonly unknown: readonly { readonly what: string; readonly error: Error | null }[];
  readonly gateways: readonly Gateway[];
}

/** What needs attention: gateways, findings, and routes whose requests fail. */
export function useAttention(): Attention {
  const gateways = useQuery(listGateways);
  const findings = useQuery(summarizeFindings);
  const failing = useQuery(getTopTraffic('route', 'hour', 'failures'));
  const concerns = [
    ...ofGateways(gateways.data ?? []),
    ...ofFindings(findings.data),
    ...ofRoutes(failing.data ?? []),
  ];
  const asked: readonly [string, Pick<UseQueryResult, 'data' | 'error'>][] = [
    [t('gateways'), gateways],
    [t('findings'), findings],
    [t('failing routes'), failing],
  ];
  return {
    concerns: concerns.toSorted((a, b) => Number(b.grave) - Number(a.grave)),
    unknown: asked
      .filter(([, { data }]) => data === undefined)
      .map(([what, { error }]) => ({ what, error: error ?? null })),
    gateways: gateways.data ?? [],
  };
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

function ofFindings(analysis: Analysis | undefined): readonly Concern[] {
  return (['ERROR', 'WARNING'] as const).flatMap((severity) => {
    const count = (severity === 'ERROR' ? analysis?.errors : analysis?.warnings) ?? 0;
    if (count === 0) {
      return [];
    }
    const first = analysis?.items.find((finding) => finding.severity === severity);
    const summary =
      severity === 'ERROR'
        ? many(count, '{count} error in the configuration', '{count} errors in the configuration')
        : many(count, '{count} warning in the configuration', '{count} warnings in the configuration');
    const text =
      first === undefined
        ? summary
        : t(
            count === 1
              ? '{summary}, of {kind} {id}: {detail}'
              : '{summary}, such as of {kind} {id}: {detail}',
            {
              summary,
              kind: kinds[kindOf(first.kind)].singular,
              id: first.id,
              detail: translateServer(first.detail),
            },
          );
    return [
      {
        grave: severity === 'ERROR',
        text,
        page: { to: '/analysis', search: { severity } },
      } satisfies Concern,
    ];
  });
}

export function ofRoutes(ranks: readonly TrafficRank[]): readonly Concern[] {
  return ranks
    .map(({ id, figures }) => ({
      id,
      requests: figures.requests,
      failed: figures.status5xx + figures.unanswered,
    }))
    .filter(({ requests, failed }) => failed > 0 && failed >= requests * FAILED_SHARE)
    .slice(0, ROUTES_NAMED_MAX)
    .map(({ id, requests, failed }) => ({
      grave: true,
      text: t('Route {id}: {percent} of {requests} requests failed in the last hour', {
        id,
        percent: percent(failed, requests),
        requests: short(requests),
      }),
      page: { to: '/traffic', search: { kind: 'route', id } },
    }));
}
