import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import type { LastRequest, LastRequests } from '#client';
import { emptyLog, ROWS_MAX, withRequests } from '@/components/requests/request-log';
import { renderApp } from '@/test/render-app';
import { api, server } from '@/test/server';

const cart: LastRequest = {
  id: 'a-0-1',
  at: '2026-01-02T03:04:05.678Z',
  gatewayId: 'gw-1',
  proxyServerId: 'web',
  routerId: 'shop',
  routeId: 'carts',
  proxyPassId: 'to-shop',
  upstreamId: 'shop-nodes',
  node: 'http://10.0.0.1:8888',
  protocol: 'HTTP/1.1',
  method: 'GET',
  host: 'shop.example.com',
  path: '/cart/<b>12</b>',
  status: 200,
  durationMicros: 12_300,
  bytesIn: 0,
  bytesOut: 2048,
  attempts: 1,
  clientAddress: '203.0.113.9',
  revision: 7,
};
const failed: LastRequest = {
  ...cart,
  id: 'a-0-2',
  at: '2026-01-02T03:04:06.678Z',
  path: '/pay',
  status: 503,
  error: 'no_node',
};

interface Opened {
  readonly query: URLSearchParams;
  readonly send: (requests: Partial<LastRequests>) => void;
  readonly end: () => void;
  readonly closed: () => boolean;
}

/** A control plane whose streams tell what the test sends. */
function streams(): Opened[] {
  const opened: Opened[] = [];
  server.use(
    http.get(api('requests/stream'), ({ request }) => {
      let closed = false;
      const encoder = new TextEncoder();
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          opened.push({
            query: new URL(request.url).searchParams,
            send: (requests) => {
              const data = JSON.stringify({ items: [], matched: 0, missing: [], ...requests });
              controller.enqueue(encoder.encode(`event: requests\ndata: ${data}\n\n`));
            },
            end: () => controller.close(),
            closed: () => closed || request.signal.aborted,
          });
        },
        cancel() {
          closed = true;
        },
      });
      return new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } });
    }),
  );
  return opened;
}

async function stream(opened: Opened[], count = 1): Promise<Opened> {
  await waitFor(() => expect(opened).toHaveLength(count));
  const last = opened.at(-1);
  if (last === undefined) {
    throw new Error('no stream');
  }
  return last;
}

describe('last requests', () => {
  it('come as they end, and lead to route, revision and gateway', async () => {
    const opened = streams();
    renderApp('/requests', { role: 'VIEWER' });
    const { send } = await stream(opened);
    send({});
    expect(await screen.findByRole('heading', { name: 'No request yet' })).toBeVisible();
    send({ items: [cart], matched: 1 });
    const table = await screen.findByRole('table', { name: 'Last requests' });
    expect(within(table).getByText('shop.example.com/cart/<b>12</b>')).toBeInTheDocument();
    expect(within(table).getByRole('link', { name: 'carts' })).toHaveAttribute('href', '/routes/carts');
    expect(within(table).getByRole('link', { name: 'Revision 7' })).toHaveAttribute('href', '/revisions/7');
    expect(within(table).getByRole('link', { name: 'gw-1' })).toHaveAttribute(
      'href',
      '/traffic?kind=gateway&id=gw-1',
    );
    send({ items: [failed], matched: 1 });
    expect(await within(table).findByText('no_node')).toBeInTheDocument();
    const rows = within(table).getAllByRole('row');
    expect(rows).toHaveLength(3);
    expect(rows[1]).toHaveTextContent('/pay');
    expect(table).toHaveAttribute('aria-rowcount', '3');
  });

  it('are those that the address names, and each filter begins anew', async () => {
    const opened = streams();
    const user = renderApp('/requests?route=carts&status=failed&text=pay');
    const first = await stream(opened);
    expect(Object.fromEntries(first.query)).toEqual({ route: 'carts', status: 'failed', text: 'pay' });
    first.send({ items: [failed], matched: 1 });
    expect(await screen.findByText('no_node')).toBeInTheDocument();
    await user.clear(screen.getByRole('textbox', { name: 'Text' }));
    const second = await stream(opened, 2);
    expect(second.query.get('text')).toBeNull();
    expect(window.location.search).not.toContain('text');
    expect(screen.queryByText('no_node')).not.toBeInTheDocument();
    second.send({});
    expect(await screen.findByRole('heading', { name: 'No request matches' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Without a route' }));
    expect((await stream(opened, 3)).query.get('route')).toBe('none');
  });

  it('stay while they are paused, and nobody reads then', async () => {
    const opened = streams();
    const user = renderApp('/requests');
    const first = await stream(opened);
    first.send({ items: [cart], matched: 1 });
    await screen.findByRole('table', { name: 'Last requests' });
    await user.click(screen.getByRole('button', { name: 'Pause' }));
    expect(screen.getByText('Paused')).toBeVisible();
    await waitFor(() => expect(first.closed()).toBe(true));
    expect(screen.getByRole('table', { name: 'Last requests' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Resume' }));
    const second = await stream(opened, 2);
    second.send({ items: [failed, cart], matched: 0 });
    await screen.findByText('no_node');
    expect(within(screen.getByRole('table', { name: 'Last requests' })).getAllByRole('row')).toHaveLength(3);
  });

  it('say what may be missing', async () => {
    const opened = streams();
    renderApp('/requests');
    const { send } = await stream(opened);
    send({
      items: [cart],
      matched: 2_000,
      missing: [
        { gatewayId: 'gw-2', reason: 'SILENT' },
        { gatewayId: 'gw-3', reason: 'BUSY' },
      ],
    });
    expect(await screen.findByText(/Gateway gw-2 does not answer/)).toBeVisible();
    expect(screen.getByText(/Gateway gw-3 keeps a small sample only/)).toBeVisible();
    expect(screen.getByText(/1 of 2,000 since the page opened/)).toBeVisible();
  });

  it('come again after the stream broke off', async () => {
    const opened = streams();
    renderApp('/requests');
    const first = await stream(opened);
    first.send({ items: [cart], matched: 1 });
    await screen.findByRole('table', { name: 'Last requests' });
    first.end();
    const second = await stream(opened, 2);
    second.send({ items: [failed, cart] });
    expect(await screen.findByText('no_node')).toBeInTheDocument();
  });

  it('are on the page of a route', async () => {
    const opened = streams();
    server.use(
      http.get(api('routes/carts'), () =>
        HttpResponse.json({ id: 'carts', routerId: 'shop', path: '/cart/*', proxyPassId: 'to-shop' }),
      ),
    );
    renderApp('/routes/carts?tab=traffic');
    const { query, send } = await stream(opened);
    expect(query.get('route')).toBe('carts');
    send({ items: [cart], matched: 1 });
    expect(await screen.findByRole('table', { name: 'Last requests' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'More filters' })).toHaveAttribute(
      'href',
      '/requests?route=carts',
    );
  });

  it('are reached from the figures', async () => {
    renderApp('/traffic?kind=route&id=carts');
    await waitFor(() => expect(screen.getAllByRole('link', { name: 'Last requests' })).toHaveLength(2));
    const links = screen.getAllByRole('link', { name: 'Last requests' });
    expect(links.map((link) => link.getAttribute('href'))).toContain('/requests?route=carts');
  });
});

it('keeps so many requests at most, the newest first, each once', () => {
  let log = emptyLog;
  for (let i = 0; i < 30; i++) {
    const items = Array.from({ length: 100 }, (_, index) => ({
      ...cart,
      id: `a-0-${i * 90 + index}`,
      at: new Date(1_000_000 + (i * 90 + index) * 10).toISOString(),
    }));
    log = withRequests(log, { items, matched: 200, missing: [] });
  }
  expect(log.rows).toHaveLength(ROWS_MAX);
  expect(log.rows[0]?.id).toBe('a-0-2709');
  expect(new Set(log.rows.map(({ id }) => id)).size).toBe(ROWS_MAX);
  expect(log.matched).toBe(6_000);
});
