import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { getTopTraffic, NOW_SECONDS, TRAFFIC_POLL_MILLIS, type TrafficKind } from '@/lib/api/get-traffic';
import { useFallBackInterval } from '@/lib/liveness';
import { flowOf, flowsOf, type Flow, type Topology } from '@/lib/topology';

/** As many as one report has. */
const RANKS_MAX = 100;

export interface Flows {
  readonly flows: ReadonlyMap<string, Flow>;
  /** Undefined while nothing is known. */
  readonly seconds: number | undefined;
}

/** What came through the stops in the last minutes: the busiest routes and upstreams, and those that fail most. */
export function useFlows(topology: Topology): Flows {
  const routes = useRanks('route');
  const upstreams = useRanks('upstream');
  const flows = useMemo(
    () => flowsOf(topology, routes ?? new Map(), upstreams ?? new Map()),
    [topology, routes, upstreams],
  );
  return { flows, seconds: routes === undefined ? undefined : NOW_SECONDS };
}

function useRanks(kind: TrafficKind): ReadonlyMap<string, Flow> | undefined {
  const refetchInterval = useFallBackInterval(TRAFFIC_POLL_MILLIS.now);
  const busiest = useQuery({ ...getTopTraffic(kind, 'now', 'requests', RANKS_MAX), refetchInterval }).data;
  // Where the report is whole, the failing ones are in it.
  const cut = busiest?.length === RANKS_MAX;
  const failing = useQuery({
    ...getTopTraffic(kind, 'now', 'failures', RANKS_MAX),
    refetchInterval,
    enabled: cut,
  }).data;
  return useMemo(
    () =>
      busiest === undefined
        ? undefined
        : new Map(
            [...(cut ? (failing ?? []) : []), ...busiest].map(({ id, figures }) => [id, flowOf(figures)]),
          ),
    [busiest, failing, cut],
  );
}
