import { describe, expect, it } from 'vitest';
import type { Route } from '#client';
import { nodeSharesOf, wordsOf } from '@/features/resources/summary/route-way';

const route: Route = { routerId: 'shop', path: '/cart/:id/*', methods: ['GET', 'POST'], proxyPassId: 'p' };

describe('the sentence of a route', () => {
  it('says methods, host, path and shares', () => {
    const words = wordsOf(
      route,
      { proxyServerId: 'web', hosts: ['shop.example.com'] },
      {
        split: {
          targets: [
            { upstreamId: 'shop-v1', weight: 9 },
            { upstreamId: 'shop-v2', weight: 1 },
          ],
        },
      },
    );
    expect(Object.values(words)).toEqual([
      'GET, POST',
      'shop.example.com/cart/:id/*',
      '',
      '90 % shop-v1, 10 % shop-v2',
    ]);
  });

  it('says conditions and what else a proxy pass does', () => {
    const words = wordsOf(
      { ...route, methods: [], headers: [{ name: 'X-Version', value: '2' }] },
      { proxyServerId: 'web', hosts: ['a', 'b', 'c'] },
      { redirect: { status: 308, location: 'https://b' } },
    );
    expect(words).toEqual({
      methods: 'Any method',
      address: 'a/cart/:id/*',
      conditions: ' and 2 more hosts with header X-Version = 2',
      target: 'redirect 308 to https://b',
    });
  });
});

describe('the share of a node', () => {
  const nodes = [{ url: 'a', weight: 3 }, { url: 'b' }, { url: 'c', drain: true }];

  it('ignores weights under round robin', () => {
    expect([...nodeSharesOf({ nodes }).values()]).toEqual([0.5, 0.5, 0]);
  });

  it('follows weights where these count', () => {
    expect([...nodeSharesOf({ nodes, balancing: 'WEIGHTED_ROUND_ROBIN' }).values()]).toEqual([0.75, 0.25, 0]);
  });

  it('is not known where loads decide', () => {
    expect(nodeSharesOf({ nodes, balancing: 'PEAK_EWMA' }).size).toBe(0);
  });
});
