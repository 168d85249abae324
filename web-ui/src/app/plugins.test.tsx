import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { renderApp } from '@/test/render-app';
import { acknowledged, api, problem, server, tagged } from '@/test/server';

const route = {
  id: 'cart',
  routerId: 'shop',
  path: '/cart/*',
  proxyPassId: 'pass',
  plugins: { rateLimit: { requests: 10 }, hsts: { enabled: false } },
};
let saved: Record<string, unknown> | undefined;

beforeEach(() => {
  saved = undefined;
  server.use(
    http.get(api('routes/cart'), () => tagged(route, '"1"')),
    http.get(api('routers/shop'), () =>
      tagged(
        {
          id: 'shop',
          proxyServerId: 'web',
          plugins: { rateLimit: { requests: 100 }, requestId: { header: 'X-Id' } },
        },
        '"1"',
      ),
    ),
    http.get(api('proxy-servers/web'), () =>
      tagged(
        { id: 'web', port: 80, plugins: { cors: { enabled: false }, requestId: { header: 'X-Old' } } },
        '"1"',
      ),
    ),
    http.get(api('proxy-passes/pass'), () => tagged({ id: 'pass', redirect: { location: '/' } }, '"1"')),
    http.post(api('route-tests'), () => problem(503, 'Unavailable')),
    http.put(api('routes/cart'), async ({ request }) => {
      saved = (await request.json()) as Record<string, unknown>;
      return HttpResponse.json({ resource: saved, revision: acknowledged });
    }),
  );
});

describe('the plugins of a level', () => {
  it('are those that are set here and those that are inherited, with from where and the value', async () => {
    renderApp('/routes/cart?tab=plugins');
    const limit = await screen.findByRole('group', { name: 'Rate limit' });
    expect(within(limit).getByLabelText(/^Requests/)).toHaveValue('10');
    expect(await screen.findByText(/^instead of router .*Requests: 100$/)).toBeVisible();
    const off = screen.getByRole('group', { name: 'Strict transport security' });
    expect(within(off).getByRole('radio', { name: 'Off here' })).toBeChecked();
    const inherited = await screen.findByRole('region', { name: 'Inherited plugins' });
    expect(within(inherited).getByText('Request id').parentElement).toHaveTextContent(
      'Request id from router shopHeader: X-Id',
    );
    expect(within(inherited).getByText('CORS').parentElement).toHaveTextContent(
      'CORS from proxy server weboff',
    );
    expect(screen.queryByRole('group', { name: 'Gzip' })).toBeNull();
  });

  it('are set, switched off and removed one by one', async () => {
    const user = renderApp('/routes/cart?tab=plugins');
    await user.click(await screen.findByRole('button', { name: 'Switch Request id off here' }));
    await user.click(screen.getByRole('button', { name: 'Remove Rate limit from this level' }));
    await user.click(screen.getByRole('button', { name: 'Set Rate limit here' }));
    await user.click(
      screen.getByRole('button', { name: 'Remove Strict transport security from this level' }),
    );
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await expect
      .poll(() => saved?.plugins)
      .toEqual({
        requestId: { enabled: false },
        rateLimit: { requests: 100 },
      });
  });

  it('are added by a search among what is not set', async () => {
    const user = renderApp('/routes/cart?tab=plugins');
    await user.click(await screen.findByRole('button', { name: 'Add plugin' }));
    const dialog = await screen.findByRole('dialog', { name: 'Add plugin' });
    const limits = within(dialog).getByRole('region', { name: 'Limits' });
    // The rate limit is set already.
    expect(within(limits).getAllByRole('button')).toHaveLength(1);
    await user.type(within(dialog).getByRole('searchbox', { name: 'Search plugins' }), 'gzip');
    await user.click(within(dialog).getByRole('button', { name: 'Gzip' }));
    expect(await screen.findByRole('group', { name: 'Gzip' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await expect.poll(() => saved?.plugins).toEqual({ ...route.plugins, gzip: {} });
  });

  it('are shown to viewers, who change nothing', async () => {
    renderApp('/routes/cart?tab=plugins', { role: 'VIEWER' });
    await screen.findByRole('region', { name: 'Inherited plugins' });
    expect(screen.queryByRole('button', { name: 'Add plugin' })).toBeNull();
    expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
  });
});
