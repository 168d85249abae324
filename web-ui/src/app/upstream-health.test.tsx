import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import type { NodeTransition, NodeView } from '#client';
import { renderApp } from '@/test/render-app';
import { acknowledged, api, problem, server, shopHealth, shopNodes, tagged } from '@/test/server';

describe('the health of an upstream', () => {
  it('is shown with each gateway and its reason', async () => {
    renderApp('/upstreams/shop-nodes');
    const health = await screen.findByRole('region', { name: 'Health of the nodes' });
    const row = await within(health).findByRole('row', { name: /10\.0\.0\.1/ });
    expect(within(row).getByText('Healthy')).toBeVisible();
    expect(within(row).getByText(/passed its first check/)).toBeVisible();
  });

  it('lets an editor drain a node, and use it again, without the form', async () => {
    const bodies: unknown[] = [];
    let nodes = [{ url: 'http://10.0.0.1:8888', weight: 1, drain: false }];
    server.use(
      http.get(api('upstreams/shop-nodes'), () =>
        tagged({ ...shopNodes, nodes }, `"${String(nodes[0]?.drain)}"`),
      ),
      http.post(api('batch'), async ({ request }) => {
        const body = (await request.json()) as { operations: [{ body: { nodes: typeof nodes } }] };
        bodies.push(body);
        nodes = body.operations[0].body.nodes;
        return HttpResponse.json({ results: [], revision: acknowledged });
      }),
    );
    const user = renderApp('/upstreams/shop-nodes');
    await user.click(await screen.findByRole('button', { name: 'Drain http://10.0.0.1:8888' }));
    const dialog = await screen.findByRole('dialog', { name: 'Drain node http://10.0.0.1:8888?' });
    expect(within(dialog).getByText(/its requests will fail/)).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Drain' }));
    expect(await screen.findByRole('button', { name: 'Use http://10.0.0.1:8888' })).toBeVisible();
    expect(bodies).toEqual([
      {
        operations: [
          {
            action: 'PATCH',
            kind: 'UPSTREAM',
            id: 'shop-nodes',
            body: { nodes: [{ url: 'http://10.0.0.1:8888', weight: 1, drain: true }] },
            ifMatch: '"false"',
          },
        ],
      },
    ]);
    // The form below was not touched: it goes on from what is there now, and asks nothing.
    expect(screen.queryByText(/^Another user changed/)).toBeNull();
  });

  it('offers a viewer nothing to drain', async () => {
    renderApp('/upstreams/shop-nodes/health', { role: 'VIEWER' });
    const health = await screen.findByRole('region', { name: 'Health of the nodes' });
    await within(health).findByRole('row', { name: /10\.0\.0\.1/ });
    expect(within(health).queryByRole('button')).toBeNull();
  });

  it('says when gateways differ', async () => {
    const [node] = shopHealth.nodes ?? [];
    server.use(
      http.get(api('upstreams/shop-nodes/health'), () =>
        HttpResponse.json({
          ...shopHealth,
          disagreement: true,
          nodes: [
            {
              ...node,
              state: 'UNHEALTHY',
              disagreement: true,
              gateways: [
                ...(node?.gateways ?? []),
                {
                  gatewayId: 'gw-2',
                  state: 'UNHEALTHY',
                  since: '2026-01-02T03:04:05Z',
                  reason: 'failed 3 checks in a row: status 500',
                },
              ],
            },
          ],
        }),
      ),
    );
    renderApp('/upstreams/shop-nodes');
    const health = await screen.findByRole('region', { name: 'Health of the nodes' });
    expect(await within(health).findByText('Gateways differ')).toBeVisible();
    expect(within(health).getByText(/status 500/)).toBeVisible();
    expect(within(health).getAllByText('Unhealthy')).toHaveLength(2);
  });

  it('says which gateways see what, the worst state first, and not all of them at once', async () => {
    const [node] = shopHealth.nodes ?? [];
    const view = (gatewayId: string, state: NodeView['state']): NodeView => ({
      gatewayId,
      state,
      since: '2026-01-02T03:04:05Z',
      reason: '',
    });
    const gateways = [
      ...['a', 'b', 'c', 'd', 'e'].map((name) => view(`gw-${name}`, 'HEALTHY')),
      view('gw-z', 'UNHEALTHY'),
    ];
    server.use(
      http.get(api('upstreams/shop-nodes/health'), () =>
        HttpResponse.json({
          ...shopHealth,
          disagreement: true,
          nodes: [{ ...node, state: 'UNHEALTHY', disagreement: true, gateways }],
        }),
      ),
    );
    const user = renderApp('/upstreams/shop-nodes/health', { role: 'VIEWER' });
    const health = await screen.findByRole('region', { name: 'Health of the nodes' });
    const row = await within(health).findByRole('row', { name: /10\.0\.0\.1/ });
    expect(row).toHaveTextContent(
      /Unhealthyto 1 of 6 gatewaysgw-z.*Healthyto 5 of 6 gatewaysgw-a.*gw-b.*gw-c/,
    );
    expect(row).not.toHaveTextContent('gw-d');
    within(row).getByRole('button', { name: 'Show all 5' }).focus();
    await user.keyboard('{Enter}');
    expect(row).toHaveTextContent(/gw-d.*gw-e/);
  });

  it('says so when there is no node', async () => {
    server.use(
      http.get(api('upstreams/shop-nodes/health'), () => HttpResponse.json({ ...shopHealth, nodes: [] })),
    );
    renderApp('/upstreams/shop-nodes');
    expect(await screen.findByRole('heading', { name: 'No node yet' })).toBeVisible();
  });

  it('is a column of the list', async () => {
    renderApp('/upstreams');
    expect(await screen.findByText('1 of 1')).toBeVisible();
  });
});

const failed: NodeTransition = {
  url: 'http://10.0.0.1:8888',
  gatewayId: 'gw-2',
  event: {
    at: '2026-01-02T03:04:05Z',
    from: 'HEALTHY',
    to: 'UNHEALTHY',
    cause: 'ACTIVE',
    reason: 'failed 3 checks in a row',
  },
  state: 'UNHEALTHY',
  disagreement: true,
};

/** Answers with what was told of, page by page; returns the questions. */
function telling(...pages: NodeTransition[][]): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get(api('upstreams/shop-nodes/health/history'), ({ request }) => {
      const query = new URL(request.url).searchParams;
      asked.push(query);
      const page = Number(query.get('cursor') ?? 0);
      return HttpResponse.json({
        items: pages[page] ?? [],
        nextCursor: page + 1 < pages.length ? String(page + 1) : undefined,
      });
    }),
  );
  return asked;
}

describe('the history of nodes', () => {
  it('is reached from the page of the upstream, for all nodes or one', async () => {
    const asked = telling([failed]);
    const user = renderApp('/upstreams/shop-nodes', { role: 'VIEWER' });
    expect(await screen.findByRole('link', { name: 'All changes' })).toHaveAttribute(
      'href',
      '/upstreams/shop-nodes/health',
    );
    await user.click(await screen.findByRole('link', { name: 'Changes of http://10.0.0.1:8888' }));
    expect(await screen.findByRole('heading', { name: 'Health of shop-nodes' })).toBeVisible();
    expect(screen.getByRole('combobox', { name: 'Node' })).toHaveValue('http://10.0.0.1:8888');
    await waitFor(() => expect(asked.at(-1)?.get('node')).toBe('http://10.0.0.1:8888'));
  });

  it('says what each gateway told of and what all held from then on, and goes on where it ended', async () => {
    telling(
      [failed],
      [
        {
          ...failed,
          event: {
            ...failed.event,
            at: '2026-01-02T03:00:00Z',
            to: 'HEALTHY',
            cause: 'CIRCUIT',
            reason: 'opened',
          },
          state: 'HEALTHY',
          disagreement: false,
        },
      ],
    );
    const user = renderApp('/upstreams/shop-nodes/health', { role: 'VIEWER' });
    const table = await screen.findByRole('table', { name: 'Changes of nodes' });
    const row = within(table).getByRole('row', { name: /gw-2/ });
    expect(row).toHaveAccessibleName(/Healthy to Unhealthy Health check: failed 3 checks in a row/);
    expect(row).toHaveTextContent('gateways differ');

    await user.click(screen.getByRole('button', { name: 'Load more' }));
    const [, , older] = await waitFor(() => {
      const rows = within(table).getAllByRole('row');
      expect(rows).toHaveLength(3);
      return rows;
    });
    expect(older).toHaveTextContent('Circuit breaker: opened');
    expect(older).not.toHaveTextContent('gateways differ');
    expect(screen.queryByRole('button', { name: 'Load more' })).not.toBeInTheDocument();
  });

  it('is filtered by the keyboard, also by gateways that are gone, and the address says so', async () => {
    const asked = telling([failed]);
    const user = renderApp('/upstreams/shop-nodes/health');
    expect(await screen.findByRole('table', { name: 'Changes of nodes' })).toBeVisible();
    await user.click(screen.getByRole('combobox', { name: 'Gateway' }));
    await user.keyboard('gw-2{ArrowDown}{Enter}');
    await waitFor(() => expect(asked.at(-1)?.get('gateway')).toBe('gw-2'));
    expect(window.location.search).toBe('?gateway=gw-2');
  });

  it('says whether nothing happened or nothing matches', async () => {
    telling([]);
    const user = renderApp('/upstreams/shop-nodes/health?node=http%3A%2F%2Fold');
    expect(await screen.findByRole('heading', { name: 'No change matches' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Clear the filters' }));
    expect(await screen.findByRole('heading', { name: 'No change yet' })).toBeVisible();
    expect(window.location.search).toBe('');
  });

  it('shows the problem when it can not be loaded', async () => {
    server.use(
      http.get(api('upstreams/shop-nodes/health/history'), () =>
        problem(404, 'Not Found', { detail: 'There is no upstream "shop-nodes".' }),
      ),
    );
    renderApp('/upstreams/shop-nodes/health');
    expect(await screen.findByText('There is no upstream "shop-nodes".')).toBeVisible();
  });

  it('is loaded afresh when the event stream tells of a change', async () => {
    let send: (text: string) => void = () => undefined;
    server.use(
      http.get(api('events'), () => {
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            send = (text) => controller.enqueue(new TextEncoder().encode(text));
          },
        });
        return new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } });
      }),
    );
    telling([]);
    renderApp('/upstreams/shop-nodes/health');
    expect(await screen.findByRole('heading', { name: 'No change yet' })).toBeVisible();
    expect(await screen.findByText('Live')).toBeVisible();
    telling([failed]);
    const { url, gatewayId, event } = failed;
    send(`event: node\ndata: ${JSON.stringify({ upstreamId: 'shop-nodes', url, gatewayId, event })}\n\n`);
    expect(await screen.findByText(/failed 3 checks in a row/, undefined, { timeout: 10_000 })).toBeVisible();
  });
});
