import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { TrafficFigures } from '#client';
import { api, call } from '@/lib/api/client';

export const trafficKinds = ['route', 'upstream', 'gateway'] as const;
export type TrafficKind = (typeof trafficKinds)[number];
export type TrafficSpan = 'hour' | 'day';

const spans = {
  hour: { millis: 3_600_000, resolution: '5s', refreshMillis: 10_000 },
  day: { millis: 86_400_000, resolution: '1m', refreshMillis: 60_000 },
} as const satisfies Record<TrafficSpan, unknown>;

/** What is looked at: everything, or what came to one route, upstream or gateway. */
export interface TrafficSubject {
  readonly kind?: TrafficKind;
  readonly id?: string;
}

export interface TrafficSlots {
  readonly total: TrafficFigures;
  readonly slotSeconds: number;
  /** One for each slot of the span, those included in which nothing came. */
  readonly slots: readonly TrafficSlot[];
}

export interface TrafficSlot {
  readonly at: number;
  readonly figures: TrafficFigures;
}

export function getTraffic({ kind, id }: TrafficSubject, span: TrafficSpan) {
  const { millis, resolution, refreshMillis } = spans[span];
  return queryOptions({
    queryKey: ['traffic', span, kind ?? 'all', id ?? ''],
    queryFn: async ({ signal }): Promise<TrafficSlots> => {
      const from = new Date(Date.now() - millis).toISOString();
      const subject = kind === undefined || id === undefined ? {} : { [kind]: id };
      const series = (await call(api.traffic.getTrafficRaw({ ...subject, from, resolution }, { signal })))
        .value;
      const slotSeconds = series.resolutionSeconds;
      return {
        total: series.total,
        slotSeconds,
        slots: filled(series.points, Date.parse(series.from), Date.parse(series.to), slotSeconds * 1000),
      };
    },
    refetchInterval: refreshMillis,
  });
}

export function getTopTraffic(kind: TrafficKind, span: TrafficSpan) {
  const { millis, resolution, refreshMillis } = spans[span];
  return queryOptions({
    queryKey: ['traffic', span, 'top', kind],
    queryFn: async ({ signal }) => {
      const from = new Date(Date.now() - millis).toISOString();
      return (await call(api.traffic.getTopTrafficRaw({ kind, from, resolution, limit: 20 }, { signal })))
        .value.items;
    },
    placeholderData: keepPreviousData,
    refetchInterval: refreshMillis,
  });
}

/** More slots than a day by the minute, or an hour by 5 s, has: a bound against a clock that is wrong. */
const SLOTS_MAX = 2_000;

const nothing: TrafficFigures = {
  requests: 0,
  perSecond: 0,
  unanswered: 0,
  status1xx: 0,
  status2xx: 0,
  status3xx: 0,
  status4xx: 0,
  status5xx: 0,
  bytesIn: 0,
  bytesOut: 0,
  p50Millis: 0,
  p95Millis: 0,
  p99Millis: 0,
};

export function filled(
  points: readonly { readonly at: string; readonly figures: TrafficFigures }[],
  from: number,
  to: number,
  slotMillis: number,
): readonly TrafficSlot[] {
  const known = new Map(points.map(({ at, figures }) => [Date.parse(at), figures]));
  const first = Math.floor(from / slotMillis) * slotMillis;
  const count = Math.min(SLOTS_MAX, Math.max(0, Math.ceil((to - first) / slotMillis)));
  return Array.from({ length: count }, (_, index) => {
    const at = first + index * slotMillis;
    return { at, figures: known.get(at) ?? nothing };
  });
}
