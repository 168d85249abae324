import { http, HttpResponse, type JsonBodyType } from 'msw';
import { setupServer } from 'msw/node';
import type { Account, Gateway, Problem, Revision, Upstream, UpstreamHealth } from '#client';
import { noTraffic } from '@/lib/api/get-traffic';

export const TOKEN = 'the-token';

export const shopNodes: Upstream = {
  id: 'shop-nodes',
  name: 'Shop backends',
  balancing: 'ROUND_ROBIN',
  nodes: [{ url: 'http://10.0.0.1:8888', weight: 1 }],
};

export const shopHealth: UpstreamHealth = {
  upstreamId: 'shop-nodes',
  disagreement: false,
  nodes: [
    {
      url: 'http://10.0.0.1:8888',
      state: 'HEALTHY',
      disagreement: false,
      gateways: [
        {
          gatewayId: 'gw-1',
          state: 'HEALTHY',
          since: '2026-01-02T03:04:05Z',
          reason: 'passed its first check',
        },
      ],
    },
  ],
};

export const revision: Revision = {
  number: 7,
  committedAt: '2026-01-02T03:04:05Z',
  author: 'admin',
  message: 'A third node',
  stateHash: '0'.repeat(64),
  changes: 1,
};

export const settingsAccount: Account = {
  name: 'settings:admin-token',
  role: 'ADMIN',
  credential: 'SETTINGS',
  mustChangePassword: false,
};

export const gateway: Gateway = {
  id: 'gw-1',
  host: 'ams1.internal',
  version: '0.1.0',
  revision: 7,
  lag: 0,
  state: 'CURRENT',
  lastSeen: '2026-01-02T03:04:06Z',
};

export function api(path: string): string {
  return `*/api/v1/${path}`;
}

export function problem(status: number, title: string, more: Partial<Problem> = {}) {
  return HttpResponse.json({ type: 'about:blank', title, status, ...more } satisfies Problem, {
    status,
    headers: { 'Content-Type': 'application/problem+json' },
  });
}

/** An answer with an entity tag. */
export function tagged(body: JsonBodyType, etag: string) {
  return HttpResponse.json(body, { headers: { ETag: etag } });
}

export const acknowledged = {
  number: 8,
  changed: true,
  complete: true,
  gateways: [
    { gatewayId: 'gw-1', answer: 'ACK', revision: 8, millis: 12 },
    { gatewayId: 'gw-2', answer: 'ACK', revision: 8, millis: 31 },
  ],
};

/** What the browser sends by itself. */
export const browser = { hasCookie: false };

/** A control plane with one upstream and one gateway, that refuses every other token. */
export const server = setupServer(
  http.all(api('*'), ({ request }) =>
    browser.hasCookie ||
    request.headers.get('Authorization') === `Bearer ${TOKEN}` ||
    request.url.endsWith('/health')
      ? undefined
      : problem(401, 'Unauthorized', { detail: 'A bearer token is required.' }),
  ),
  http.get(api('session'), () => HttpResponse.json(settingsAccount)),
  http.get(api('health'), () => HttpResponse.json({ status: 'UP', version: '0.1.0' })),
  http.get(
    api('events'),
    () => new HttpResponse(new ReadableStream(), { headers: { 'Content-Type': 'text/event-stream' } }),
  ),
  http.get(api('gateways'), () => HttpResponse.json({ items: [gateway] })),
  http.get(api('import/openapi'), () => HttpResponse.json({ items: [] })),
  http.get(api('gateway-revocations'), () => HttpResponse.json({ items: [] })),
  http.get(api('revisions'), () => HttpResponse.json({ items: [revision] })),
  http.get(api('revisions/:number'), () =>
    HttpResponse.json({ ...revision, changes: [], changesTotal: 0, truncated: false }),
  ),
  http.get(api('node-health'), ({ request }) =>
    HttpResponse.json({
      nodes: request.url.includes('shop-nodes')
        ? (shopHealth.nodes ?? []).map(({ url, state }) => ({
            upstreamId: 'shop-nodes',
            url,
            state,
            disagreement: false,
          }))
        : [],
      truncated: false,
    }),
  ),
  http.get(api('upstreams/:id/health/history'), () => HttpResponse.json({ items: [] })),
  http.get(api('upstreams/shop-nodes/health'), () => HttpResponse.json(shopHealth)),
  http.get(api('upstreams/:id/health'), ({ params }) =>
    HttpResponse.json({ upstreamId: String(params.id), disagreement: false, nodes: [] }),
  ),
  http.get(api('upstreams/shop-nodes'), () => tagged(shopNodes, '"one"')),
  http.get(api('upstreams'), () => HttpResponse.json({ items: [shopNodes] })),
  http.get(api('analysis'), () =>
    HttpResponse.json({ revision: 7, errors: 0, warnings: 0, infos: 0, items: [] }),
  ),
  http.get(api('traffic'), () =>
    HttpResponse.json({
      from: '2026-01-02T03:00:00Z',
      to: '2026-01-02T03:00:00Z',
      resolutionSeconds: 5,
      total: noTraffic,
      points: [],
      gaps: [],
    }),
  ),
  http.get(api('traffic/top'), () => HttpResponse.json({ items: [] })),
  http.get(api('proxy-passes'), () => HttpResponse.json({ items: [] })),
  http.get(api('proxy-servers'), () => HttpResponse.json({ items: [] })),
  http.get(api('routers'), () => HttpResponse.json({ items: [] })),
  http.get(api('routes'), () => HttpResponse.json({ items: [] })),
);

/** Opens the event stream for one dashboard at a time. Returns how to send it an event. */
export function eventStream(): (event: string, data: JsonBodyType) => void {
  let push: (text: string) => void = () => undefined;
  server.use(
    http.get(api('events'), () => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          push = (text) => controller.enqueue(new TextEncoder().encode(text));
        },
      });
      return new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } });
    }),
  );
  return (event, data) => push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}
