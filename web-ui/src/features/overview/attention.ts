import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Analysis, Gateway, TrafficRank } from '#client';
import { getTopTraffic } from '@/lib/api/get-traffic';
import { summarizeFindings } from '@/lib/api/list-findings';
import { listGateways } from '@/lib/api/list-gateways';
import { percent, short } from '@/lib/figures';

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
    ['gateways', gateways],
    ['findings', findings],
    ['failing routes', failing],
  ];
  return {
    concerns: concerns.toSorted((a, b) => Number(b.grave) - Number(a.grave)),
    unknown: asked
      .filter(([, { data }]) => data === undefined)
      .map(([what, { error }]) => ({ what, error: error ?? null })),
    gateways: gateways.data ?? [],
  };
}

const stateTexts = {
  REFUSED: { grave: true, one: 'refuses the newest revision', many: 'refuse the newest revision' },
  OTHER_HISTORY: { grave: true, one: 'serves an unknown state', many: 'serve an unknown state' },
  LOST: { grave: true, one: 'has not reported for a while', many: 'have not reported for a while' },
  BEHIND: { grave: false, one: 'serves an older revision', many: 'serve an older revision' },
} as const;

export function ofGateways(gateways: readonly Gateway[]): readonly Concern[] {
  return (Object.keys(stateTexts) as (keyof typeof stateTexts)[]).flatMap((state) => {
    const some = gateways.filter((gateway) => gateway.state === state).map(({ id }) => id);
    if (some.length === 0) {
      return [];
    }
    const { grave, one, many } = stateTexts[state];
    const more = some.length - GATEWAYS_NAMED_MAX;
    const names = `${some.slice(0, GATEWAYS_NAMED_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    const text = some.length === 1 ? `Gateway ${names} ${one}` : `Gateways ${names} ${many}`;
    return [{ grave, text, page: { to: '/gateways' } } satisfies Concern];
  });
}

function ofFindings(analysis: Analysis | undefined): readonly Concern[] {
  return (['ERROR', 'WARNING'] as const).flatMap((severity) => {
    const count = (severity === 'ERROR' ? analysis?.errors : analysis?.warnings) ?? 0;
    if (count === 0) {
      return [];
    }
    const word = severity === 'ERROR' ? 'error' : 'warning';
    const first = analysis?.items.find((finding) => finding.severity === severity)?.detail;
    const text = `${short(count)} ${word}${count === 1 ? '' : 's'} in the configuration${first === undefined ? '' : `: ${first}`}`;
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
      text: `Route ${id}: ${percent(failed, requests)} of ${short(requests)} requests failed in the last hour`,
      page: { to: '/traffic', search: { kind: 'route', id } },
    }));
}
