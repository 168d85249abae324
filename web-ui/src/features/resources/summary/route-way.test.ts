import { describe, expect, it } from 'vitest';
import type { Route } from '#client';
import { wordsOf } from '@/features/resources/summary/route-way';

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
