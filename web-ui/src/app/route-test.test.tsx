import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RouteTestResult } from '#client';
import { renderApp } from '@/test/render-app';
import { api, gateway, problem, server, tagged } from '@/test/server';

const result: RouteTestResult = {
  gatewayId: 'gw-1',
  revision: 7,
  outcome: 'FORWARDED',
  detail: 'Route "shop-api" of router "shop" takes it (path /api/*, priority 0).',
  proxyServerId: 'web',
  routerId: 'shop',
  routeId: 'shop-api',
  proxyPassId: 'to-shop',
  losers: [
    {
      routeId: 'shop-admin',
      routerId: 'shop',
      reasons: [{ kind: 'HEADER', subject: 'x-team', detail: 'absent (expected: "ops")' }],
    },
  ],
  furtherLosers: 2,
  filters: [
    { plugin: 'cors', phase: 'REQUEST', effect: 'PASSES', origins: ['/routers/shop'] },
    { plugin: 'rateLimit', phase: 'REQUEST', effect: 'NOT_TRIED' },
  ],
  request: {
    method: 'GET',
    path: '/v2/carts',
    query: 'id=7',
    headers: [{ name: 'X-Shop', value: '1' }],
    furtherHeaders: 0,
  },
  upstreams: [
    {
      upstreamId: 'shop-nodes',
      share: 0.9,
      nodes: [
        {
          url: 'http://10.0.0.1:8888',
          weight: 1,
          tier: 0,
          state: 'HEALTHY',
          usable: true,
          host: 'shop.example.com',
          target: '/v2/carts?id=7',
        },
      ],
      furtherNodes: 0,
    },
  ],
};

describe('the route tester', () => {
  it('sends what was filled in, and shows what would become of the request', async () => {
    let asked: unknown;
    server.use(
      http.post(api('route-tests'), async ({ request }) => {
        asked = await request.json();
        return HttpResponse.json(result);
      }),
    );
    const user = renderApp('/route-test');
    await user.type(await screen.findByLabelText(/^URL/), 'https://shop.example.com/api/carts?id=7');
    await user.click(screen.getByRole('button', { name: 'More request fields' }));
    await user.type(screen.getByLabelText(/^Header fields/), 'Accept: application/json{Enter}X-Empty:');
    await user.type(screen.getByLabelText('Client address'), '203.0.113.9');
    await user.type(screen.getByLabelText('Revision'), '5');
    await user.click(screen.getByRole('button', { name: 'Test' }));

    expect(await screen.findByText('Forwarded to a node')).toBeVisible();
    expect(asked).toEqual({
      url: 'https://shop.example.com/api/carts?id=7',
      headers: [
        { name: 'Accept', value: 'application/json' },
        { name: 'X-Empty', value: '' },
      ],
      clientAddress: '203.0.113.9',
      revision: 5,
    });
    const outcome = screen.getByRole('region', { name: 'Result' });
    expect(within(outcome).getByRole('link', { name: 'shop-api' })).toHaveAttribute(
      'href',
      '/routes/shop-api',
    );
    const loser = within(screen.getByRole('table', { name: 'Near misses' }));
    expect(loser.getByRole('row', { name: /shop-admin/ })).toHaveTextContent('absent (expected: "ops")');
    expect(screen.getByText('and 2 more')).toBeVisible();
    const filters = within(screen.getByRole('table', { name: 'Filters' })).getAllByRole('row');
    expect(filters[1]).toHaveTextContent('1corsREQUESTlets it go on/routers/shop');
    expect(filters[2]).toHaveTextContent('2rateLimitREQUESTnot tried');
    expect(screen.getByText(/GET \/v2\/carts\?id=7/)).toHaveTextContent('X-Shop: 1');
    const node = within(screen.getByRole('table', { name: 'Nodes of shop-nodes' }));
    expect(node.getByRole('row', { name: /10\.0\.0\.1/ })).toHaveTextContent('Healthy');
    expect(screen.getByText('gets 90 % of such requests')).toBeVisible();
  });

  it('tests a connection without HTTP', async () => {
    let asked: unknown;
    server.use(
      http.post(api('route-tests'), async ({ request }) => {
        asked = await request.json();
        const [upstream] = result.upstreams;
        return HttpResponse.json({
          ...result,
          detail: 'Router "mail" takes the connection for "mail.example" and does not decrypt it.',
          routeId: undefined,
          losers: [],
          furtherLosers: 0,
          filters: [],
          request: undefined,
          upstreams: [{ ...upstream, nodes: [{ ...upstream?.nodes[0], host: '', target: '' }] }],
        });
      }),
    );
    const user = renderApp('/route-test');
    await user.type(await screen.findByLabelText(/^URL/), 'tls://mail.example:8443');
    await user.click(screen.getByRole('button', { name: 'More request fields' }));
    await user.type(screen.getByLabelText('ALPN'), 'h2, imap');
    await user.click(screen.getByRole('button', { name: 'Test' }));

    expect(await screen.findByText(/does not decrypt it/)).toBeVisible();
    expect(asked).toEqual({ url: 'tls://mail.example:8443', alpn: ['h2', 'imap'] });
    const nodes = within(screen.getByRole('table', { name: 'Nodes of shop-nodes' }));
    expect(nodes.getByRole('row', { name: /10\.0\.0\.1/ })).toHaveTextContent('Healthy');
    expect(nodes.queryByRole('columnheader', { name: 'Target' })).not.toBeInTheDocument();
  });

  it('asks at once when the address names a request', async () => {
    let asked: unknown;
    server.use(
      http.post(api('route-tests'), async ({ request }) => {
        asked = await request.json();
        return HttpResponse.json({ ...result, outcome: 'REFUSED', status: 404, detail: 'No route.' });
      }),
    );
    renderApp('/route-test?url=http%3A%2F%2Flocalhost%2Fx&method=POST');
    expect(await screen.findByText('Refused')).toBeVisible();
    expect(screen.getByText('404')).toBeVisible();
    expect(asked).toEqual({ url: 'http://localhost/x', method: 'POST' });
    expect(screen.getByLabelText(/^URL/)).toHaveValue('http://localhost/x');
  });

  it('says at its field what is wrong', async () => {
    server.use(
      http.post(api('route-tests'), () =>
        problem(422, 'Invalid values', {
          errors: [{ pointer: '/headers/0/name', detail: '"a b" (expected: a name)', code: 'INVALID' }],
        }),
      ),
    );
    renderApp('/route-test?url=%2Fx&headers=a%20b%3A%20c');
    expect(await screen.findByRole('alert')).toHaveTextContent('Invalid values');
    expect(screen.getByLabelText(/^Header fields/)).toHaveAccessibleDescription(/Expected: a name/);
  });

  it('reads a curl command that is pasted', async () => {
    let asked: unknown;
    server.use(
      http.post(api('route-tests'), async ({ request }) => {
        asked = await request.json();
        return HttpResponse.json(result);
      }),
    );
    const user = renderApp('/route-test');
    await user.click(await screen.findByLabelText(/^URL/));
    await user.paste("curl -X PUT \\\n  -H 'Accept: text/html' https://shop.example.com/carts/7");
    expect(screen.getByLabelText(/^URL/)).toHaveValue('https://shop.example.com/carts/7');
    expect(screen.getByRole('combobox', { name: 'Method' })).toHaveValue('PUT');
    expect(screen.getByLabelText(/^Header fields/)).toHaveValue('Accept: text/html');
    await user.click(screen.getByRole('button', { name: 'Test' }));
    await screen.findByText('Forwarded to a node');
    expect(asked).toEqual({
      url: 'https://shop.example.com/carts/7',
      method: 'PUT',
      headers: [{ name: 'Accept', value: 'text/html' }],
    });
  });

  it('names the hosts that there are, and asks for the nearest', async () => {
    const asked: { url: string }[] = [];
    server.use(
      http.post(api('route-tests'), async ({ request }) => {
        const wish = (await request.json()) as { url: string };
        asked.push(wish);
        return HttpResponse.json(
          wish.url.includes('shop.')
            ? result
            : { ...result, outcome: 'REFUSED', status: 404, routerId: undefined, routeId: undefined },
        );
      }),
      http.get(api('routers'), () =>
        HttpResponse.json({
          items: [
            { id: 'shop', proxyServerId: 'web', hosts: ['shop.example.com'] },
            { id: 'media', proxyServerId: 'web', hosts: ['*.media.example.com'] },
          ],
        }),
      ),
    );
    const user = renderApp(`/route-test?url=${encodeURIComponent('http://shp.example.com:81/x')}`);
    const hosts = await screen.findByRole('region', { name: 'Hosts' });
    expect(within(hosts).getByRole('button', { name: '*.media.example.com' })).toBeVisible();
    await user.click(within(hosts).getByRole('button', { name: 'Test shop.example.com' }));
    expect(await screen.findByText('Forwarded to a node')).toBeVisible();
    expect(asked.at(-1)?.url).toBe('http://shop.example.com:81/x');
  });

  it('asks all gateways, and shows where they differ', async () => {
    server.use(
      http.get(api('gateways'), () =>
        HttpResponse.json({ items: [gateway, { ...gateway, id: 'gw-2' }, { ...gateway, id: 'gw-3' }] }),
      ),
      http.post(api('route-tests'), async ({ request }) => {
        const { gatewayId = 'gw-1' } = (await request.json()) as { gatewayId?: string };
        return HttpResponse.json({
          ...result,
          gatewayId,
          ...(gatewayId === 'gw-3'
            ? { revision: 6, outcome: 'REFUSED', status: 404, routeId: undefined }
            : {}),
        });
      }),
    );
    renderApp('/route-test?url=%2Fx');
    const answers = await screen.findByRole('table', { name: 'Answers of the gateways' });
    expect(await within(answers).findByRole('row', { name: 'gw-2 7 forwarded shop-api' })).toBeVisible();
    expect(within(answers).getByRole('row', { name: 'gw-3 6 refused with 404 none' })).toBeVisible();
  });

  it('says so when no gateway is there to answer', async () => {
    server.use(
      http.post(api('route-tests'), () =>
        problem(503, 'Unavailable', {
          type: 'urn:sigma:problem:unavailable',
          detail: 'No gateway is connected that could answer.',
        }),
      ),
    );
    renderApp('/route-test?url=%2Fx');
    expect(await screen.findByText('No gateway is connected that could answer.')).toBeVisible();
    expect(screen.queryByText(/Control plane unreachable/)).not.toBeInTheDocument();
  });

  it('is reached from the page of a route, with a request that the route matches', async () => {
    const route = { id: 'shop-api', routerId: 'shop', path: '/api/*', methods: ['POST'], proxyPassId: 'p' };
    server.use(
      http.get(api('routes/shop-api'), () => tagged(route, '"1"')),
      http.get(api('routers/shop'), () =>
        tagged({ id: 'shop', proxyServerId: 'web', hosts: ['shop.example.com'] }, '"1"'),
      ),
      http.get(api('proxy-servers/web'), () => tagged({ id: 'web', port: 8080 }, '"1"')),
    );
    renderApp('/routes/shop-api', { role: 'VIEWER' });
    const link = await screen.findByRole('link', { name: 'Test the route' });
    const { pathname, searchParams } = new URL(link.getAttribute('href') ?? '', 'http://dashboard');
    expect(pathname).toBe('/route-test');
    expect(Object.fromEntries(searchParams)).toEqual({
      url: 'http://ams1.internal:8080/api/',
      method: 'POST',
      host: 'shop.example.com',
      proxyServerId: 'web',
    });
  });
});

describe('a draft of operations', () => {
  const draft = [{ action: 'PATCH', kind: 'ROUTE', id: 'shop-api', body: { priority: 5 } }];
  let asked: Record<string, unknown>[];

  beforeEach(() => {
    asked = [];
    server.use(
      http.post(api('route-tests'), async ({ request }) => {
        const test = (await request.json()) as Record<string, unknown>;
        asked.push(test);
        return HttpResponse.json(result);
      }),
    );
  });

  it('is asked for with the request, kept out of the address, and left out when it is emptied', async () => {
    const user = renderApp('/route-test?url=%2Fx', { role: 'EDITOR' });
    expect(await screen.findByText(/revision 7/)).toBeVisible();
    expect(asked).toEqual([{ url: '/x' }]);
    await user.click(screen.getByRole('button', { name: 'More request fields' }));
    const field = screen.getByRole('textbox', { name: 'Draft of operations' });
    await user.click(field);
    await user.paste(JSON.stringify({ operations: draft }));
    await user.click(screen.getByRole('button', { name: 'Test' }));
    expect(await screen.findByText(/revision 7 with the draft/)).toBeVisible();
    expect(asked.at(-1)).toEqual({ url: '/x', operations: draft });
    expect(window.location.search).toBe('?url=%2Fx');

    await user.click(screen.getByRole('button', { name: 'Test' }));
    await waitFor(() => expect(asked).toHaveLength(3));
    expect(asked.at(-1)).toEqual({ url: '/x', operations: draft });

    await user.clear(field);
    await user.click(screen.getByRole('button', { name: 'Test' }));
    await waitFor(() => expect(asked.at(-1)).toEqual({ url: '/x' }));
    await waitFor(() => expect(screen.queryByText(/with the draft/)).not.toBeInTheDocument());
  });

  it.each([
    ['[{', 'This is not JSON'],
    ['{"action": "PUT"}', 'This is not a list of operations'],
    ['[]', 'This is not a list of operations'],
  ])('is not sent as %s, which takes the focus', async (text, why) => {
    const user = renderApp('/route-test', { role: 'EDITOR' });
    await user.type(await screen.findByLabelText(/^URL/), '/x');
    await user.click(screen.getByRole('button', { name: 'More request fields' }));
    const field = screen.getByRole('textbox', { name: 'Draft of operations' });
    await user.click(field);
    await user.paste(text);
    await user.click(screen.getByRole('button', { name: 'Test' }));
    expect(field).toHaveFocus();
    expect(field).toHaveAccessibleDescription(new RegExp(why));
    expect(field).toBeInvalid();
    expect(asked).toEqual([]);
  });

  it('that is wrong says at which place', async () => {
    server.use(
      http.post(api('route-tests'), () =>
        problem(422, 'Invalid values', {
          errors: [
            {
              pointer: '/operations/0/body/priority',
              detail: '"high" (expected: a whole number)',
              code: 'TYPE',
              values: { given: 'high', expected: 'a whole number' },
            },
          ],
        }),
      ),
    );
    const user = renderApp('/route-test', { role: 'EDITOR' });
    await user.type(await screen.findByLabelText(/^URL/), '/x');
    await user.click(screen.getByRole('button', { name: 'More request fields' }));
    const field = screen.getByRole('textbox', { name: 'Draft of operations' });
    await user.click(field);
    await user.paste('[{"action":"PATCH","kind":"ROUTE","id":"shop-api","body":{"priority":"high"}}]');
    await user.click(screen.getByRole('button', { name: 'Test' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Change 1 › Priority');
    expect(field).toHaveAccessibleDescription(
      /Change 1 › Priority: “high” is not possible as Priority. Expected: a whole number./,
    );
  });

  it('is not offered to viewers', async () => {
    const user = renderApp('/route-test', { role: 'VIEWER' });
    await user.click(await screen.findByRole('button', { name: 'More request fields' }));
    expect(screen.getByLabelText(/^Header fields/)).toBeVisible();
    expect(screen.queryByRole('textbox', { name: 'Draft of operations' })).not.toBeInTheDocument();
  });
});
