import { useQueries } from '@tanstack/react-query';
import type { NodeState, UpstreamHealth } from '#client';
import { getUpstreamHealth } from '@/lib/api/get-upstream-health';
import { keyOf } from '@/lib/topology';

/** Of more upstreams at once, the health is not asked for. */
const ASKED_MAX = 24;

/** The best first. */
const byGravity: readonly NodeState[] = ['HEALTHY', 'UNKNOWN', 'DRAINING', 'DOWN', 'EJECTED', 'UNHEALTHY'];

/** Returns the states of the nodes of these upstreams, by the keys of the nodes. A node of several upstreams has its worst one. */
export function useNodeStates(upstreamIds: readonly string[]): ReadonlyMap<string, NodeState> {
  return useQueries({
    queries: upstreamIds.slice(0, ASKED_MAX).map((id) => ({ ...getUpstreamHealth(id), retry: false })),
    combine: (results) => statesOf(results.map(({ data }) => data)),
  });
}

export function statesOf(health: readonly (UpstreamHealth | undefined)[]): ReadonlyMap<string, NodeState> {
  const states = new Map<string, NodeState>();
  for (const { url, state } of health.flatMap((one) => one?.nodes ?? [])) {
    const known = states.get(keyOf('nodes', url));
    if (known === undefined || byGravity.indexOf(state) > byGravity.indexOf(known)) {
      states.set(keyOf('nodes', url), state);
    }
  }
  return states;
}
