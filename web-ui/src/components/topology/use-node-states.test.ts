import { expect, it } from 'vitest';
import type { NodeState } from '#client';
import { failedOf, statesOf } from '@/components/topology/use-node-states';

function standing(upstreamId: string, url: string, state: NodeState) {
  return { upstreamId, url, state, disagreement: false };
}

it('a node of several upstreams has its worst state', () => {
  const states = statesOf([
    standing('a', 'http://x', 'HEALTHY'),
    standing('b', 'http://x', 'UNHEALTHY'),
    standing('c', 'http://x', 'EJECTED'),
    standing('a', 'http://y', 'UNKNOWN'),
  ]);
  expect([...states]).toEqual([
    ['nodes http://x', 'UNHEALTHY'],
    ['nodes http://y', 'UNKNOWN'],
  ]);
});

it('of a group, the nodes that failed are known, the gravest first', () => {
  const states = statesOf([
    standing('a', 'http://1', 'EJECTED'),
    standing('a', 'http://2', 'UNHEALTHY'),
    standing('a', 'http://3', 'DOWN'),
    standing('a', 'http://4', 'HEALTHY'),
  ]);
  const keys = ['1', '2', '3', '4', '5'].map((name) => `nodes http://${name}`);
  expect(failedOf(states, keys)).toEqual(['UNHEALTHY', 'EJECTED']);
});
