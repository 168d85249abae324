import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { stage, stagedChanges } from '@/lib/staged';
import { renderApp } from '@/test/render-app';
import { acknowledged, api, problem, server, tagged } from '@/test/server';

const routes = ['a', 'b', 'c'].map((id) => ({
  id,
  routerId: 'shop',
  proxyPassId: 'to-shop',
  path: `/${id}/*`,
  methods: ['GET'],
  ...(id === 'a' ? { labels: { team: 'carts' } } : {}),
}));

/** The questions of the list and the batches that were sent. */
let asked: URLSearchParams[];
let batches: { readonly dryRun: boolean; readonly body: unknown }[];

beforeEach(() => {
  asked = [];
  batches = [];
  server.use(
    http.get(api('routes'), ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query);
      return HttpResponse.json({ items: routes, total: query.get('q') === 'many' ? 250 : 3 });
    }),
    http.get(api('routers'), () =>
      HttpResponse.json({ items: [{ id: 'shop', proxyServerId: 'web', hosts: ['shop.example.com'] }] }),
    ),
    http.get(api('proxy-passes'), () =>
      HttpResponse.json({ items: [{ id: 'to-shop', upstreamId: 'shop-nodes' }] }),
    ),
    http.post(api('batch'), async ({ request }) => {
      const dryRun = new URL(request.url).searchParams.get('dryRun') === 'true';
      const body = (await request.json()) as { operations: { id: string }[] };
      batches.push({ dryRun, body });
      return HttpResponse.json({
        revision: dryRun
          ? { number: 8, dryRun: true, votes: [{ gatewayId: 'gw-1', vote: 'ACCEPT' }] }
          : acknowledged,
        results: body.operations.map(({ id }) => ({
          kind: 'ROUTE',
          id,
          changed: true,
          action: 'UPDATE',
          before: { id, enabled: true },
          after: { id, enabled: false },
        })),
      });
    }),
  );
});

describe('a list', () => {
  it('shows what its rows refer to, and asks for it together', async () => {
    const questions: URL[] = [];
    server.events.on('request:start', ({ request }) => questions.push(new URL(request.url)));
    renderApp('/routes');
    const row = (await screen.findByRole('link', { name: 'a' })).closest('tr') as HTMLElement;
    expect(await within(row).findByText('shop.example.com')).toBeVisible();
    expect(await within(row).findByRole('link', { name: 'shop-nodes' })).toBeVisible();
    expect(questions.flatMap(({ searchParams }) => searchParams.get('ids') ?? [])).toEqual([
      'shop',
      'to-shop',
    ]);
    server.events.removeAllListeners();
  });

  it('does not repeat the id of a target whose upstream has the same', async () => {
    server.use(
      http.get(api('proxy-passes'), () =>
        HttpResponse.json({ items: [{ id: 'to-shop', upstreamId: 'to-shop' }] }),
      ),
    );
    renderApp('/routes');
    const row = (await screen.findByRole('link', { name: 'a' })).closest('tr') as HTMLElement;
    expect(await within(row).findByRole('link', { name: 'upstream of the same id' })).toHaveAttribute(
      'href',
      '/upstreams/to-shop',
    );
    expect(within(row).getAllByText('to-shop')).toHaveLength(1);
  });

  it('is ordered by its heads, and the address says by which', async () => {
    const user = renderApp('/routes?page=3');
    await screen.findByRole('link', { name: 'a' });
    expect(asked.at(-1)?.get('offset')).toBe('200');
    const head = screen.getByRole('columnheader', { name: 'Path' });
    await user.click(within(head).getByRole('button'));
    expect(window.location.search).toBe('?sort=path');
    await user.click(within(head).getByRole('button'));
    expect(window.location.search).toBe('?sort=-path');
    expect(head).toHaveAttribute('aria-sort', 'descending');
    expect(asked.at(-1)?.get('sort')).toBe('-path');
    expect(asked.at(-1)?.get('offset')).toBe('0');
  });

  it('is narrowed by state and by a label', async () => {
    const user = renderApp('/routes?state=disabled');
    await user.click(await screen.findByRole('button', { name: 'team=carts' }));
    expect(window.location.search).toContain('state=disabled');
    expect(asked.at(-1)?.get('q')).toBe('label:team=carts state:disabled');
  });

  it('switches a row', async () => {
    const user = renderApp('/routes');
    await user.click(await screen.findByRole('switch', { name: 'Enabled: b' }));
    expect(await screen.findByText('Disabled route b')).toBeVisible();
    expect(batches).toEqual([
      {
        dryRun: false,
        body: { operations: [{ action: 'PATCH', kind: 'ROUTE', id: 'b', body: { enabled: false } }] },
      },
    ]);
  });

  it('has no switches and nothing to select for a viewer', async () => {
    renderApp('/routes', { role: 'VIEWER' });
    await screen.findByRole('link', { name: 'a' });
    expect(screen.queryByRole('switch')).not.toBeInTheDocument();
    expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
    expect(screen.getAllByText('Enabled').length).toBeGreaterThan(1);
  });

  it('changes what is selected at once, after showing what would change', async () => {
    const user = renderApp('/routes');
    await user.click(await screen.findByRole('checkbox', { name: 'Select a' }));
    await user.keyboard('{Shift>}');
    await user.click(screen.getByRole('checkbox', { name: 'Select c' }));
    await user.keyboard('{/Shift}');
    expect(screen.getByText('3 routes selected')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Disable' }));
    const dialog = await screen.findByRole('dialog');
    expect(await within(dialog).findByText(/^3 routes will change/)).toHaveTextContent('a, b, c');
    expect(within(dialog).getByText(/1 gateway can serve it/)).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Disable 3 routes' }));
    expect(await screen.findByText('Disabled 3 routes in revision 8')).toBeVisible();
    expect(batches[0]?.dryRun).toBe(true);
    expect(batches.filter(({ dryRun }) => !dryRun)).toHaveLength(1);
    expect(screen.queryByText('3 routes selected')).not.toBeInTheDocument();
  });

  it('stages what is selected, each on top of what is staged of it, for one revision with others', async () => {
    server.use(
      http.get(api('routes/:id'), ({ params }) =>
        tagged(routes.find(({ id }) => id === params.id) ?? {}, `"${String(params.id)}"`),
      ),
    );
    const user = renderApp('/routes', { role: 'EDITOR' });
    await user.click(await screen.findByRole('checkbox', { name: 'Select all rows' }));
    const [a, b] = routes;
    stage({ kind: 'routes', id: 'b', base: b, etag: '"older"', body: { ...b, path: '/b' } });
    await user.click(screen.getByRole('button', { name: 'Disable' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Stage' }));
    expect(await screen.findByText('Staged 3 changes')).toBeVisible();
    expect(screen.queryByText('3 routes selected')).not.toBeInTheDocument();
    expect(batches.every(({ dryRun }) => dryRun)).toBe(true);
    const staged = new Map(stagedChanges().map((one) => [one.id, one]));
    expect(staged.size).toBe(3);
    expect(staged.get('a')).toEqual({
      kind: 'routes',
      id: 'a',
      base: a,
      etag: '"a"',
      body: { ...a, enabled: false },
    });
    expect(staged.get('b')).toMatchObject({ etag: '"older"', body: { path: '/b', enabled: false } });

    await user.click(await screen.findByRole('checkbox', { name: 'Select c' }));
    await user.click(screen.getByRole('button', { name: 'Delete…' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Stage' }));
    expect(await screen.findByText('Staged 1 change')).toBeVisible();
    expect(stagedChanges().find(({ id }) => id === 'c')).toMatchObject({ etag: '"c"', body: undefined });
  });

  it('says who still uses what cannot be deleted', async () => {
    server.use(
      http.post(api('batch'), () =>
        problem(409, 'Still in use', {
          operations: [
            {
              index: 0,
              kind: 'ROUTE',
              id: 'a',
              status: 409,
              type: 'urn:sigma:problem:in-use',
              referrers: [{ kind: 'ROUTER', id: 'other' }],
            },
          ],
        }),
      ),
    );
    const user = renderApp('/routes');
    await user.click(await screen.findByRole('checkbox', { name: 'Select all rows' }));
    await user.click(screen.getByRole('button', { name: 'Delete…' }));
    expect(await screen.findByText(/used by router other/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Delete 3 routes' })).toBeDisabled();
  });

  it('offers to select all that match, on all pages', async () => {
    const user = renderApp('/routes?q=many');
    expect(await screen.findByText('1 to 3 of 250')).toBeVisible();
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows' }));
    await user.click(screen.getByRole('button', { name: 'Select all 250' }));
    expect(asked.some((query) => query.get('limit') === '1000')).toBe(true);
  });
});
