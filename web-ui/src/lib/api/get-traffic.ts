import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import type { TrafficFigures, TrafficPoint } from '#client';
import { api, call } from '@/lib/api/client';
import { serverNow } from '@/lib/server-time';

export const trafficKinds = ['route', 'upstream', 'gateway'] as const;
export type TrafficKind = (typeof trafficKinds)[number];
export type TrafficSpan = 'hour' | 'day';
export const trafficOrders = ['requests', 'failures', 'bytes'] as const;
export type TrafficOrder = (typeof trafficOrders)[number];

const spans = {
  now: { millis: 300_000, resolution: '5s' },
  hour: { millis: 3_600_000, resolution: '5s' },
  day: { millis: 86_400_000, resolution: '1m' },
} as const satisfies Record<TrafficSpan | 'now', unknown>;
/** How long what is shown as now took. */
export const NOW_SECONDS = spans.now.millis / 1000;

/** How often to ask while no events arrive. */
export const TRAFFIC_POLL_MILLIS: Readonly<Record<keyof typeof spans, number>> = {
  now: 10_000,
  hour: 10_000,
  day: 60_000,
};
/** Less than two, and than twelve, of the five seconds after which rates come. */
const BUSY_AGE_MILLIS = 8_000;
const QUIET_AGE_MILLIS = 58_000;

/** What is looked at: everything, or what came to one route, upstream or gateway. */
export interface TrafficSubject {
  readonly kind?: TrafficKind;
  readonly id?: string;
}

export interface TrafficSlots {
  readonly total: TrafficFigures;
  readonly slotSeconds: number;
  /** One for each slot of the span, those included in which nothing came or that nobody reported. */
  readonly slots: readonly TrafficSlot[];
}

export interface TrafficSlot {
  readonly at: number;
  /** Undefined where no gateway reported: nobody knows what came then. */
  readonly figures: TrafficFigures | undefined;
}

/** What was reported of a slot. */
export interface ReportedSlot extends TrafficSlot {
  readonly figures: TrafficFigures;
}

export function isReported(slot: TrafficSlot): slot is ReportedSlot {
  return slot.figures !== undefined;
}

export function getTraffic({ kind, id }: TrafficSubject, span: TrafficSpan) {
  const { millis, resolution } = spans[span];
  return queryOptions({
    queryKey: ['traffic', span, kind ?? 'all', id ?? ''],
    queryFn: async ({ signal }): Promise<TrafficSlots> => {
      const from = new Date(serverNow() - millis).toISOString();
      const subject = kind === undefined || id === undefined ? {} : { [kind]: id };
      const series = (await call(api.traffic.getTrafficRaw({ ...subject, from, resolution }, { signal })))
        .value;
      const slotSeconds = series.resolutionSeconds;
      return {
        total: series.total,
        slotSeconds,
        slots: filled(
          series.points.map(({ at, figures }) => ({ at: Date.parse(at), figures })),
          Date.parse(series.from),
          Date.parse(series.to),
          slotSeconds * 1000,
          series.gaps.map((gap) => ({ from: Date.parse(gap.from), to: Date.parse(gap.to) })),
        ),
      };
    },
  });
}

const TOP_SHOWN = 20;

export function getTopTraffic(
  kind: TrafficKind,
  span: keyof typeof spans,
  by: TrafficOrder,
  limit: number = TOP_SHOWN,
) {
  const { millis, resolution } = spans[span];
  return queryOptions({
    queryKey: ['traffic', span, 'top', kind, by, limit],
    queryFn: async ({ signal }) => {
      const from = new Date(serverNow() - millis).toISOString();
      return (await call(api.traffic.getTopTrafficRaw({ kind, by, from, resolution, limit }, { signal })))
        .value.items;
    },
    placeholderData: keepPreviousData,
  });
}

/** More slots than a day by the minute, or an hour by 5 s, has: a bound against a clock that is wrong. */
const SLOTS_MAX = 2_000;

export const noTraffic: TrafficFigures = {
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
  points: readonly TrafficSlot[],
  from: number,
  to: number,
  slotMillis: number,
  gaps: readonly { readonly from: number; readonly to: number }[] = [],
): readonly TrafficSlot[] {
  const known = new Map(points.map(({ at, figures }) => [at, figures]));
  const first = Math.floor(from / slotMillis) * slotMillis;
  const count = Math.min(SLOTS_MAX, Math.max(0, Math.ceil((to - first) / slotMillis)));
  return Array.from({ length: count }, (_, index) => {
    const at = first + index * slotMillis;
    const unknown = gaps.some((gap) => at >= gap.from && at < gap.to);
    return { at, figures: known.has(at) ? known.get(at) : unknown ? undefined : noTraffic };
  });
}

/**
 * Takes what came to all gateways in five seconds, as the event stream tells it: the last hour of everything moves on by it, and
 * what else is on the screen is loaded afresh where there is something new.
 */
export function takeRates(client: QueryClient, point: TrafficPoint): void {
  const everything = getTraffic({}, 'hour').queryKey;
  const loadedAt = client.getQueryState(everything)?.dataUpdatedAt;
  // The age stays that of the load: the percentiles of an hour can not be had from those of its slots.
  client.setQueryData(everything, (known) => known && withPoint(known, point), { updatedAt: loadedAt });
  const busy = point.figures.requests > 0;
  void client.invalidateQueries(
    {
      queryKey: ['traffic'],
      predicate: ({ queryKey: [, span, subject], state: { dataUpdatedAt, errorUpdatedAt } }) => {
        const often = busy && span !== 'day' && subject !== 'all';
        const age = Date.now() - Math.max(dataUpdatedAt, errorUpdatedAt);
        return age >= (often ? BUSY_AGE_MILLIS : QUIET_AGE_MILLIS);
      },
    },
    { cancelRefetch: false },
  );
}

/** Returns a span of the same length that ends with a newer slot. Percentiles of the whole stay as they were loaded. */
export function withPoint(
  { slots, slotSeconds, total }: TrafficSlots,
  { at, figures }: TrafficPoint,
): TrafficSlots {
  const slotMillis = slotSeconds * 1000;
  const time = Date.parse(at);
  const end = Math.max(time, slots.at(-1)?.at ?? time) + slotMillis;
  const from = end - slots.length * slotMillis;
  // A slot without a report is a gap.
  const moved = filled([...slots, { at: time, figures }], from, end, slotMillis, [{ from, to: end }]);
  const reported = moved.filter(isReported);
  const sum = (key: keyof TrafficFigures) => reported.reduce((before, slot) => before + slot.figures[key], 0);
  const requests = sum('requests');
  const { p50Millis, p95Millis, p99Millis } = total.requests === 0 ? figures : total;
  return {
    slotSeconds,
    slots: moved,
    total: {
      requests,
      perSecond: requests / Math.max(1, reported.length * slotSeconds),
      unanswered: sum('unanswered'),
      status1xx: sum('status1xx'),
      status2xx: sum('status2xx'),
      status3xx: sum('status3xx'),
      status4xx: sum('status4xx'),
      status5xx: sum('status5xx'),
      bytesIn: sum('bytesIn'),
      bytesOut: sum('bytesOut'),
      p50Millis,
      p95Millis,
      p99Millis,
    },
  };
}
