import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderApp } from '@/test/render-app';
import { acknowledged, api, problem, server, tagged } from '@/test/server';

const route = {
  id: 'cart',
  routerId: 'shop',
  path: '/cart/*',
  methods: ['GET'],
  proxyPassId: 'to-shop',
  plugins: { rateLimit: { requests: 10 } },
};
const router = {
  id: 'shop',
  proxyServerId: 'web',
  hosts: ['shop.example.com'],
  plugins: { rateLimit: { requests: 99 }, cors: { enabled: false } },
};

describe('the page of a route', () => {
  beforeEach(() => {
    server.use(
      http.get(api('routes/cart'), () => tagged(route, '"1"')),
      http.get(api('routers/shop'), () => tagged(router, '"1"')),
      http.get(api('proxy-servers/web'), () => tagged({ id: 'web', port: 8080 }, '"1"')),
      http.get(api('proxy-passes/to-shop'), () => tagged({ id: 'to-shop', upstreamId: 'shop-nodes' }, '"1"')),
      http.post(api('route-tests'), () =>
        HttpResponse.json({
          gatewayId: 'gw-1',
          revision: 7,
          outcome: 'FORWARDED',
          detail: '',
          routeId: 'cart',
          losers: [],
          furtherLosers: 0,
          upstreams: [],
          filters: [{ plugin: 'rateLimit', phase: 'LIMIT', effect: 'PASSES', origins: [] }],
        }),
      ),
    );
  });

  it('says where requests go, and which level sets a plugin', async () => {
    renderApp('/routes/cart', { role: 'VIEWER' });
    expect(await screen.findByText('shop.example.com/cart/*')).toBeVisible();
    const way = screen.getByRole('group', { name: 'Way of a request' });
    expect(await within(way).findByRole('link', { name: /^Upstream shop-nodes/ })).toBeVisible();
    expect(await within(way).findByText('HTTP on port 8080')).toBeVisible();
    const plugins = await screen.findByRole('table', { name: 'Plugins' });
    expect(
      await within(plugins).findByRole('row', {
        name: '1 rateLimit route cart instead of router shop requests: 10',
      }),
    ).toBeVisible();
    expect(within(plugins).getByRole('row', { name: '– cors router shop off here' })).toBeVisible();
  });

  it('says that there is no such route, without tabs and buttons for it', async () => {
    server.use(http.get(api('routes/gone'), () => problem(404, 'Not found')));
    renderApp('/routes/gone');
    expect(await screen.findByRole('heading', { name: 'There is no route gone' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'All routes' })).toHaveAttribute('href', '/routes');
    expect(screen.queryByRole('tab')).toBeNull();
    expect(screen.queryByRole('link', { name: 'Duplicate' })).toBeNull();
  });

  it('names the tab in its address, and comes back from the form without losing the focus', async () => {
    server.use(
      http.put(api('routes/cart'), () => HttpResponse.json({ resource: route, revision: acknowledged })),
    );
    const user = renderApp('/routes/cart');
    await user.click(await screen.findByRole('tab', { name: 'Edit' }));
    await user.type(await screen.findByLabelText('Name'), 'Carts');
    expect(window.location.search).toBe('?tab=edit');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(/^Revision 8/)).toBeVisible();
    expect(window.location.search).toBe('?tab=summary');
    expect(screen.getByRole('tab', { name: 'Summary' })).toHaveFocus();
  });
});
