import { describe, expect, it } from 'vitest';
import {
  baseIdOf,
  covers,
  nodeUrlOf,
  planOf,
  prefixOf,
  type Existing,
  type ExposeWish,
} from '@/features/expose/expose-plan';

const wish: ExposeWish = {
  nodes: ['http://10.0.0.1:8888'],
  host: 'shop.example.com',
  path: '/cart/*',
  stripPrefix: false,
  https: false,
  proxyServer: undefined,
  port: 8080,
  certificate: { how: 'presented' },
  key: undefined,
};
const nothing: Existing = { routers: [], upstreams: [], taken: new Set() };

describe('the plan of an exposed service', () => {
  it('gives all that it makes the labels to which a token is restricted', () => {
    const { operations } = planOf({ ...wish, key: 'k'.repeat(16), labels: { team: 'shop' } }, nothing);
    expect(operations.length).toBeGreaterThan(4);
    for (const { kind, body } of operations) {
      expect(body, kind).toMatchObject({ labels: { team: 'shop' } });
    }
  });

  it('makes everything that there is not', () => {
    expect(planOf(wish, nothing).operations).toEqual([
      { action: 'PUT', kind: 'PROXY_SERVER', id: 'web', body: { port: 8080 } },
      {
        action: 'PUT',
        kind: 'ROUTER',
        id: 'shop-cart',
        body: { proxyServerId: 'web', hosts: ['shop.example.com'] },
      },
      {
        action: 'PUT',
        kind: 'ROUTE',
        id: 'shop-cart',
        body: { routerId: 'shop-cart', path: '/cart/*', proxyPassId: 'shop-cart' },
      },
      { action: 'PUT', kind: 'PROXY_PASS', id: 'shop-cart', body: { upstreamId: 'shop-cart' } },
      {
        action: 'PUT',
        kind: 'UPSTREAM',
        id: 'shop-cart',
        body: { nodes: [{ url: 'http://10.0.0.1:8888' }] },
      },
    ]);
  });

  it('uses the proxy server, the router and the upstream that fit', () => {
    const plan = planOf(
      { ...wish, proxyServer: { id: 'web', port: 80 } },
      {
        routers: [
          { id: 'off', proxyServerId: 'web', hosts: ['shop.example.com'], enabled: false },
          { id: 'shop', proxyServerId: 'web', hosts: ['www.example.com', 'Shop.example.com'] },
        ],
        upstreams: [
          { id: 'drained', nodes: [{ url: 'http://10.0.0.1:8888', drain: true }] },
          { id: 'nodes', nodes: [{ url: 'http://10.0.0.1:8888' }] },
        ],
        taken: new Set(['shop-cart']),
      },
    );
    expect(plan.stations).toEqual([
      { kind: 'proxy-servers', id: 'web', what: 'used' },
      { kind: 'routers', id: 'shop', what: 'used' },
      { kind: 'routes', id: 'shop-cart-2', what: 'new' },
      { kind: 'proxy-passes', id: 'shop-cart-2', what: 'new' },
      { kind: 'upstreams', id: 'nodes', what: 'used' },
    ]);
    expect(plan.operations).toHaveLength(2);
  });

  it('asks for a key by a plugin and a consumer, and removes the prefix', () => {
    const { operations, route } = planOf({ ...wish, key: 'k'.repeat(32), stripPrefix: true }, nothing);
    expect(route.plugins).toEqual({ keyAuth: {} });
    expect(operations.find(({ kind }) => kind === 'CONSUMER')?.body).toEqual({
      apiKeys: [{ name: 'first', key: 'k'.repeat(32) }],
    });
    expect(operations.find(({ kind }) => kind === 'PROXY_PASS')?.body).toEqual({
      upstreamId: 'shop-cart',
      stripPrefix: '/cart',
    });
  });

  it('gives a proxy server that lists its certificates one more', () => {
    const tls = { ...wish, https: true, certificate: { how: 'new', chain: 'C', privateKey: 'K' } } as const;
    const listed = { id: 'tls', port: 443, tls: { certificates: ['other'] } };
    expect(planOf({ ...tls, proxyServer: listed }, nothing).operations.at(-1)).toEqual({
      action: 'PATCH',
      kind: 'PROXY_SERVER',
      id: 'tls',
      body: { tls: { certificates: ['other', 'shop-cart'] } },
    });
    const all = { id: 'tls', port: 443, tls: {} };
    expect(planOf({ ...tls, proxyServer: all }, nothing).operations.map(({ action }) => action)).toEqual(
      Array(5).fill('PUT'),
    );
    expect(planOf(tls, nothing).operations[1]?.body).toEqual({
      port: 8080,
      protocol: 'HTTPS',
      tls: { certificates: ['shop-cart'] },
    });
  });
});

describe('the words of an exposed service', () => {
  it.each([
    ['shop.example.com', '/cart/:id/*', 'shop-cart-id'],
    ['*.example.com', '/*', 'example'],
    ['', '/*', 'billing'],
  ])('%s%s has the id %s', (host, path, id) => {
    expect(baseIdOf({ host, path, nodes: ['http://billing:80'] })).toBe(id);
  });

  it('adds the scheme of a node', () => {
    expect(nodeUrlOf('10.0.0.1:80 ')).toBe('http://10.0.0.1:80');
    expect(nodeUrlOf('https://a')).toBe('https://a');
  });

  it('knows the prefix of a path', () => {
    expect(prefixOf('/a/b/*')).toBe('/a/b');
    expect(prefixOf('/*')).toBeUndefined();
    expect(prefixOf('/a/:id/*')).toBeUndefined();
  });

  it('knows which host a certificate is for', () => {
    expect(covers(['*.example.com'], 'shop.example.com')).toBe(true);
    expect(covers(['*.example.com'], 'a.shop.example.com')).toBe(false);
    expect(covers(['Shop.example.com'], 'shop.example.com')).toBe(true);
  });
});
