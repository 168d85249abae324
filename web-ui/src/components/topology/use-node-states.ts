import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { NodeStanding, NodeState } from '#client';
import { listFailedNodes, listNodesOf } from '@/lib/api/list-node-health';
import { keyOf } from '@/lib/topology';

/** The best first. */
const byGravity: readonly NodeState[] = ['HEALTHY', 'UNKNOWN', 'DRAINING', 'DOWN', 'EJECTED', 'UNHEALTHY'];

/**
 * Returns the states of nodes by their keys: those of all that failed, and all of the upstreams that are in sight. A node of several
 * upstreams has its worst one.
 */
export function useNodeStates(inSight: readonly string[]): ReadonlyMap<string, NodeState> {
  const failed = useQuery({ ...listFailedNodes, retry: false }).data;
  const seen = useQuery({ ...listNodesOf(inSight), retry: false }).data;
  return useMemo(() => statesOf([...(failed ?? []), ...(seen ?? [])]), [failed, seen]);
}

export function statesOf(standings: readonly NodeStanding[]): ReadonlyMap<string, NodeState> {
  const states = new Map<string, NodeState>();
  for (const { url, state } of standings) {
    const known = states.get(keyOf('nodes', url));
    if (known === undefined || byGravity.indexOf(state) > byGravity.indexOf(known)) {
      states.set(keyOf('nodes', url), state);
    }
  }
  return states;
}

/** Returns those of the nodes that failed, the gravest first. */
export function failedOf(
  states: ReadonlyMap<string, NodeState>,
  keys: readonly string[],
): readonly NodeState[] {
  return keys
    .map((key) => states.get(key))
    .filter((state) => state === 'UNHEALTHY' || state === 'EJECTED')
    .sort((a, b) => byGravity.indexOf(b) - byGravity.indexOf(a));
}
