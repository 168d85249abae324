import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { noTraffic } from '@/lib/api/get-traffic';
import { renderApp } from '@/test/render-app';
import { api, server } from '@/test/server';

const lists: Readonly<Record<string, readonly object[]>> = {
  'proxy-servers': [{ id: 'web', port: 80 }],
  routers: [
    { id: 'shop', proxyServerId: 'web', hosts: ['shop.example.com'] },
    { id: 'accounts', proxyServerId: 'web', hosts: ['accounts.example.com'] },
  ],
  routes: [
    { id: 'cart', routerId: 'shop', path: '/cart/*', proxyPassId: 'shop' },
    { id: 'login', routerId: 'accounts', path: '/login', proxyPassId: 'accounts', enabled: false },
  ],
  'proxy-passes': [
    { id: 'shop', upstreamId: 'shop-nodes' },
    { id: 'accounts', upstreamId: 'accounts-nodes' },
  ],
  upstreams: [
    { id: 'shop-nodes', nodes: [{ url: 'http://10.0.0.1:8888' }] },
    { id: 'accounts-nodes', nodes: [{ url: 'http://10.0.0.2:8888' }] },
  ],
};

beforeEach(() => {
  for (const [kind, items] of Object.entries(lists)) {
    server.use(http.get(api(kind), () => HttpResponse.json({ items })));
  }
  server.use(
    http.get(api('traffic/top'), ({ request }) =>
      HttpResponse.json({
        items: request.url.includes('kind=route')
          ? [{ id: 'cart', figures: { ...noTraffic, requests: 600, status5xx: 60 } }]
          : [],
      }),
    ),
  );
});

const lane = (name: RegExp) => screen.findByRole('region', { name });

describe('the topology', () => {
  it('has a lane for each kind, and says in words what it draws', async () => {
    renderApp('/topology');
    const routes = await lane(/^Routes: 2$/);
    expect(
      await within(routes).findByRole('button', {
        name: 'Route cart, /cart/*, 2 requests per second, 10 % failed',
      }),
    ).toBeVisible();
    expect(within(routes).getByRole('button', { name: 'Route login, /login, disabled' })).toBeVisible();
    const nodes = await lane(/^Nodes: 2$/);
    expect(
      await within(nodes).findByRole('button', { name: 'Node http://10.0.0.1:8888, Healthy' }),
    ).toBeVisible();
  });

  it('draws the first routes while the others are on their way', async () => {
    let answer: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const routes = Array.from({ length: 250 }, (_, i) => ({
      id: `cart-${i}`,
      routerId: 'shop',
      path: `/cart/${i}`,
      proxyPassId: 'shop',
    }));
    server.use(
      http.get(api('routes'), async ({ request }) => {
        const { searchParams } = new URL(request.url);
        const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))];
        if (offset > 0) {
          await waiting;
        }
        return HttpResponse.json({ items: routes.slice(offset, offset + limit), total: routes.length });
      }),
    );
    renderApp('/topology');
    await lane(/^Routes: 200$/);
    expect(screen.getByText(/^More resources are being loaded\./)).toBeVisible();
    answer();
    await lane(/^Routes: 250$/);
    expect(screen.queryByText(/^More resources are being loaded\./)).not.toBeInTheDocument();
  });

  it('knows the nodes that failed in one question, also within groups', async () => {
    const nodes = Array.from({ length: 60 }, (_, i) => ({ url: `http://10.1.0.${i}` }));
    const asked: string[] = [];
    server.use(
      http.get(api('upstreams'), () =>
        HttpResponse.json({
          items: [
            { id: 'shop-nodes', nodes },
            { id: 'accounts-nodes', nodes: [{ url: 'http://10.0.0.2:8888' }] },
          ],
        }),
      ),
      http.get(api('node-health'), ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('upstreamIds') ?? 'failed');
        return HttpResponse.json({
          nodes:
            asked.at(-1) === 'failed'
              ? [{ upstreamId: 'shop-nodes', url: 'http://10.1.0.7', state: 'UNHEALTHY' }]
              : [],
          truncated: false,
        });
      }),
    );
    renderApp('/topology');
    const lanes = await lane(/^Nodes: 61$/);
    expect(await within(lanes).findByRole('button', { name: /60 nodes, 1 failed/ })).toBeVisible();
    expect(asked.filter((one) => one === 'failed')).toHaveLength(1);
    expect(asked.length).toBeLessThanOrEqual(2);
  });

  it('is narrowed to the ways through what is chosen, both ways, and back', async () => {
    const user = renderApp('/topology');
    await user.click(await screen.findByRole('button', { name: /^Proxy pass shop/ }));
    expect(await lane(/^Routers: 1$/)).toBeVisible();
    expect(screen.getByRole('button', { name: /^Node http:\/\/10.0.0.1/ })).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Route login/ })).toBeNull();
    expect(new URLSearchParams(window.location.search).get('at')).toBe('proxy-passes/shop');
    expect(screen.getByRole('link', { name: 'Open its page' })).toHaveAttribute('href', '/proxy-passes/shop');
    await user.click(screen.getByRole('button', { name: 'Show everything' }));
    expect(await lane(/^Routers: 2$/)).toBeVisible();
  });

  it('shows what fails, or what was searched', async () => {
    const user = renderApp('/topology?q=accounts.example');
    expect(await lane(/^Nodes: 1$/)).toBeVisible();
    expect(screen.getByRole('button', { name: /^Route login/ })).toBeVisible();
    await user.clear(screen.getByRole('searchbox', { name: 'Search' }));
    await lane(/^Nodes: 2$/);
    await user.click(screen.getByRole('switch', { name: 'Only what fails' }));
    expect(await lane(/^Routes: 1$/)).toBeVisible();
    expect(screen.getByRole('button', { name: /^Route cart/ })).toBeVisible();
  });

  it('is gone through with the arrows', async () => {
    const user = renderApp('/topology');
    (await screen.findByRole('button', { name: /^Proxy server web/ })).focus();
    await user.keyboard('{ArrowRight}');
    const focused = () => document.activeElement?.getAttribute('aria-label');
    await expect.poll(focused).toBe('Router shop, shop.example.com, 2 requests per second, 10 % failed');
    await user.keyboard('{ArrowDown}');
    await expect.poll(focused).toBe('Router accounts, accounts.example.com');
    await user.keyboard('{ArrowRight}');
    await expect.poll(focused).toBe('Route login, /login, disabled');
  });

  it('heads the page of each resource on the way', async () => {
    server.use(
      http.get(api('upstreams'), () => HttpResponse.json({ items: [lists.upstreams?.[0]] })),
      http.get(api('proxy-passes'), () => HttpResponse.json({ items: [lists['proxy-passes']?.[0]] })),
      http.get(api('routes'), () => HttpResponse.json({ items: [lists.routes?.[0]] })),
      http.get(api('routers'), () => HttpResponse.json({ items: [lists.routers?.[0]] })),
    );
    renderApp('/upstreams/shop-nodes');
    const way = await screen.findByRole('group', { name: 'Way of a request' });
    expect(await within(way).findByRole('link', { name: /^Route cart/ })).toHaveAttribute(
      'href',
      '/routes/cart',
    );
    expect(within(way).getByRole('link', { name: /^Upstream shop-nodes/ })).toHaveAttribute(
      'aria-current',
      'page',
    );
  });
});
