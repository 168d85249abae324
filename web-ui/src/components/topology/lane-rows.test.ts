import { describe, expect, it } from 'vitest';
import { rowsOf, strandsOf } from '@/components/topology/lane-rows';
import { perLane, topologyOf, type Topology } from '@/lib/topology';

function withRoutes(count: number): Topology {
  return topologyOf({
    proxyServers: [{ id: 'web', port: 80 }],
    routers: ['even', 'odd', 'lone'].map((id) => ({ id, proxyServerId: 'web' })),
    routes: [
      ...Array.from({ length: count }, (_, index) => ({
        id: `r${index}`,
        routerId: index % 2 === 0 ? 'even' : 'odd',
        path: `/${index}`,
        proxyPassId: 'pass',
      })),
      { id: 'alone', routerId: 'lone', path: '/', proxyPassId: 'pass' },
    ],
    proxyPasses: [{ id: 'pass', upstreamId: 'nodes' }],
    upstreams: [{ id: 'nodes', nodes: [{ url: 'http://a' }] }],
  });
}

describe('the rows of a lane', () => {
  it('are its stops up to 50', () => {
    expect(rowsOf('routes', withRoutes(49), new Map(), new Set())).toHaveLength(50);
  });

  it('are groups above, by what leads there; a group of one is that one', () => {
    const topology = withRoutes(100);
    const flows = new Map([['routes r1', { requests: 5, failed: 1 }]]);
    const rows = rowsOf('routes', topology, flows, new Set());
    expect(rows.map(({ name, members, flow }) => [name, members.length, flow.failed])).toEqual([
      ['even', 50, 0],
      ['odd', 50, 1],
      ['alone', 1, 0],
    ]);
    const opened = rowsOf('routes', topology, flows, new Set(['group routes odd']));
    expect(opened).toHaveLength(53);
    expect(opened[2]).toMatchObject({ key: 'routes r1', flow: { requests: 5 } });
  });

  it('are connected where a group hides its stops', () => {
    const topology = withRoutes(100);
    const rows = perLane((lane) => rowsOf(lane, topology, new Map(), new Set(['group routes odd'])));
    const strands = strandsOf(rows, topology, new Map());
    const fromRouters = strands.filter(({ lane }) => lane === 'routers');
    // 50 even ones are one line; each odd one has its own; and the lone one.
    expect(fromRouters).toHaveLength(52);
    expect(fromRouters.find(({ from }) => from === 0)?.lines).toHaveLength(50);
  });
});
