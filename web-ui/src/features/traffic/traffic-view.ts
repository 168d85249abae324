import {
  trafficKinds,
  trafficOrders,
  type TrafficOrder,
  type TrafficSpan,
  type TrafficSubject,
} from '@/lib/api/get-traffic';

/** What the page shows; what is absent is as usual. */
export interface TrafficView extends TrafficSubject {
  readonly span?: TrafficSpan;
  readonly by?: TrafficOrder;
}

/** Returns the view that an address names; what it does not know is left out. */
export function trafficViewOf(search: Readonly<Record<string, unknown>>): TrafficView {
  const { id } = search;
  return {
    kind: trafficKinds.find((kind) => kind === search.kind),
    id: typeof id === 'string' || typeof id === 'number' ? String(id) || undefined : undefined,
    span: search.span === 'day' ? 'day' : undefined,
    by: trafficOrders.find((by) => by === search.by && by !== 'requests'),
  };
}
