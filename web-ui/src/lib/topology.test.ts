import { describe, expect, it } from 'vitest';
import {
  connectedTo,
  cutTo,
  flowAlong,
  flowsOf,
  gravityOf,
  keyOf,
  matching,
  nodeSharesOf,
  topologyOf,
  type Resourced,
} from '@/lib/topology';

const shop: Resourced = {
  proxyServers: [{ id: 'web', port: 80 }],
  routers: [
    { id: 'shop', proxyServerId: 'web', hosts: ['shop.example.com'] },
    { id: 'accounts', proxyServerId: 'web', enabled: false },
  ],
  routes: [
    { id: 'cart', routerId: 'shop', path: '/cart/*', proxyPassId: 'split' },
    { id: 'login', routerId: 'accounts', path: '/login', proxyPassId: 'login' },
    { id: 'old', routerId: 'shop', path: '/old', proxyPassId: 'moved' },
  ],
  proxyPasses: [
    {
      id: 'split',
      split: {
        targets: [
          { upstreamId: 'v1', weight: 9 },
          { upstreamId: 'v2', weight: 1 },
        ],
      },
    },
    { id: 'login', upstreamId: 'v2' },
    { id: 'moved', redirect: { location: '/new' } },
  ],
  upstreams: [
    { id: 'v1', nodes: [{ url: 'http://a' }, { url: 'http://b' }] },
    { id: 'v2', nodes: [{ url: 'http://b', down: true }] },
  ],
};
const topology = topologyOf(shop);

describe('the topology', () => {
  it('has a stop for each resource and each node, and words for them', () => {
    expect(topology.order).toEqual({
      'proxy-servers': ['proxy-servers web'],
      routers: ['routers shop', 'routers accounts'],
      routes: ['routes cart', 'routes old', 'routes login'],
      'proxy-passes': ['proxy-passes split', 'proxy-passes moved', 'proxy-passes login'],
      upstreams: ['upstreams v1', 'upstreams v2'],
      nodes: ['nodes http://a', 'nodes http://b'],
    });
    const connections = topologyOf({
      proxyServers: [{ id: 'db', port: 5432, protocol: 'TCP' }],
      routers: [{ id: 'db', proxyServerId: 'db', proxyPassId: 'to-db' }],
      routes: [],
      proxyPasses: [{ id: 'to-db', upstreamId: 'db-nodes' }],
      upstreams: [{ id: 'db-nodes', nodes: [{ url: 'http://a:5432' }] }],
    });
    expect(connections.order, 'a router without routes leads past their lane').toEqual({
      'proxy-servers': ['proxy-servers db'],
      routers: ['routers db'],
      routes: [],
      'proxy-passes': ['proxy-passes to-db'],
      upstreams: ['upstreams db-nodes'],
      nodes: ['nodes http://a:5432'],
    });
    const details = [...topology.stops.values()].map(({ detail }) => detail);
    expect(details).toEqual(
      expect.arrayContaining(['HTTP on port 80', 'shop.example.com', '90 % v1, 10 % v2']),
    );
    expect(topology.stops.get('nodes http://b')).toMatchObject({ off: false, upstreamIds: ['v1', 'v2'] });
    expect(topology.stops.get('routers accounts')?.off).toBe(true);
  });

  it('names what it does not know by its id', () => {
    const part = topologyOf({ ...shop, proxyServers: [], upstreams: [] });
    expect(part.stops.get('proxy-servers web')).toMatchObject({ id: 'web', detail: '' });
    expect(part.order.nodes).toEqual([]);
  });

  it('is followed both ways, and cut to what is connected', () => {
    const through = connectedTo(topology, [keyOf('upstreams', 'v1')]);
    expect([...through].sort()).toEqual([
      'nodes http://a',
      'nodes http://b',
      'proxy-passes split',
      'proxy-servers web',
      'routers shop',
      'routes cart',
      'upstreams v1',
    ]);
    const cut = cutTo(topology, through);
    expect(cut.order.upstreams).toEqual(['upstreams v1']);
    expect(cut.next.get('proxy-passes split')?.map(({ to }) => to)).toEqual(['upstreams v1']);
  });

  it('is searched by each word in ids, hosts and paths', () => {
    expect(matching(topology, 'SHOP.example')).toEqual(['routers shop']);
    expect(matching(topology, 'old /old')).toEqual(['routes old']);
  });

  it('goes round in no circle, and holds 5,000 routes', () => {
    const many = topologyOf({
      ...shop,
      routes: Array.from({ length: 5_000 }, (_, index) => ({
        id: `r${index}`,
        routerId: 'shop',
        path: `/${index}`,
        proxyPassId: 'split',
      })),
    });
    expect(connectedTo(many, ['routers shop']).size).toBe(5_000 + 2 + 1 + 2 + 2);
  });
});

describe('what flows', () => {
  const flows = flowsOf(
    topology,
    new Map([
      ['cart', { requests: 100, failed: 10 }],
      ['login', { requests: 50, failed: 0 }],
    ]),
    new Map([['v1', { requests: 90, failed: 10 }]]),
  );

  it('adds up from routes to the stops around them, and is shared among nodes', () => {
    expect(flows.get('routers shop')).toEqual({ requests: 100, failed: 10 });
    expect(flows.get('proxy-servers web')).toEqual({ requests: 150, failed: 10 });
    expect(flows.get('proxy-passes login')).toEqual({ requests: 50, failed: 0 });
    expect(flows.get('nodes http://a')).toEqual({ requests: 45, failed: 5 });
  });

  it('goes along a line by the share of it', () => {
    const [toFirst, toSecond] = topology.next.get('proxy-passes split') ?? [];
    expect(toFirst && flowAlong(toFirst, flows)).toEqual({ requests: 90, failed: 9 });
    expect(toSecond && flowAlong(toSecond, flows)).toEqual({ requests: 10, failed: 1 });
    const [toShop] = topology.next.get('proxy-servers web') ?? [];
    expect(toShop && flowAlong(toShop, flows)).toEqual({ requests: 100, failed: 10 });
  });

  it('comes to routers of connections from upstreams to which they alone lead', () => {
    const streams = (more: Partial<Resourced> = {}) =>
      topologyOf({
        proxyServers: [{ id: 'db', port: 5432, protocol: 'TCP' }],
        routers: [{ id: 'db', proxyServerId: 'db', proxyPassId: 'db' }],
        routes: [],
        proxyPasses: [{ id: 'db', upstreamId: 'db-nodes' }],
        upstreams: [{ id: 'db-nodes', nodes: [{ url: 'tcp://a:1' }] }],
        ...more,
      });
    const counted = new Map([['db-nodes', { requests: 30, failed: 1 }]]);
    const known = flowsOf(streams(), new Map(), counted);
    for (const key of ['proxy-servers db', 'routers db', 'proxy-passes db', 'upstreams db-nodes']) {
      expect(known.get(key), key).toEqual({ requests: 30, failed: 1 });
    }
    expect(streams().stops.get('routers db')?.counts).toBe('connections');
    const shared = [
      { id: 'db', upstreamId: 'db-nodes' },
      { id: 'web', upstreamId: 'db-nodes' },
    ];
    const unclear = flowsOf(streams({ proxyPasses: shared }), new Map(), counted);
    expect(unclear.get('routers db'), 'whose they are is not known').toBeUndefined();
  });

  it('is as bad as its share of failures', () => {
    const gravities = [0, 1, 5].map((failed) => gravityOf({ requests: 100, failed }));
    expect([gravityOf({ requests: 0, failed: 0 }), ...gravities]).toEqual(['none', 'good', 'some', 'bad']);
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
