import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { renderApp } from '@/test/render-app';
import { acknowledged, api, problem, server, tagged } from '@/test/server';

const router = {
  id: 'shop',
  proxyServerId: 'web',
  plugins: { cors: { allowOrigins: ['https://shop.test'] }, keyAuth: {}, rateLimit: { requests: 10 } },
};

describe('the plugins that people use most', () => {
  it('say what their fields mean together', async () => {
    server.use(http.get(api('routers/shop'), () => tagged(router, '"1"')));
    const user = renderApp('/routers/shop?tab=plugins');
    const limit = within(await screen.findByRole('group', { name: 'Rate limit' }));
    const sentence = limit.getByRole('note', { name: 'What the rate limit does' });
    expect(sentence).toHaveTextContent('Each client address may send 10 requests a second');
    await user.type(limit.getByLabelText('Burst'), '3');
    expect(sentence).toHaveTextContent('may send 3 requests at once, and over time 10 requests a second');

    const cors = within(screen.getByRole('group', { name: 'CORS' }));
    await user.type(cors.getByRole('textbox', { name: 'Try an origin' }), 'https://shop.test');
    const verdict = cors.getByRole('status', { name: 'What a browser does' });
    expect(verdict).toHaveTextContent('Allowed. A page of https://shop.test may send GET');
    await user.click(cors.getByRole('checkbox', { name: 'with cookies' }));
    expect(verdict).toHaveTextContent('Refused by the browser: Allow credentials is off.');
    await user.click(cors.getByRole('switch', { name: /^Allow credentials/ }));
    expect(verdict).toHaveTextContent('Allowed.');

    const key = within(screen.getByRole('group', { name: 'Key auth' }));
    await user.type(key.getByLabelText('Header'), 'X-Shop-Key');
    expect(key.getByRole('note')).toHaveTextContent("curl -H 'X-Shop-Key: KEY' URL");
    expect(key.getByRole('link', { name: /^New consumer/ })).toHaveAttribute('href', '/new/consumers');
  });
});

describe('the JWT plugin', () => {
  it('says what a gateway says to a token, by what the form has now', async () => {
    const plugins = { jwt: { issuer: 'https://login.test/', jwksUrl: 'https://login.test/keys' } };
    server.use(http.get(api('routers/shop'), () => tagged({ ...router, plugins }, '"1"')));
    const user = renderApp('/routers/shop?tab=plugins');
    const jwt = within(await screen.findByRole('group', { name: 'JWT' }));
    const header = btoa('{"alg":"RS256"}').replaceAll('=', '');
    const claims = btoa('{"iss":"https://login.test/","sub":"anna","exp":4000000000}').replaceAll('=', '');
    await user.click(jwt.getByRole('textbox', { name: 'Try a token' }));
    await user.paste(`${header}.${claims}.c2lnbmVk`);
    const verdict = jwt.getByRole('status', { name: 'The token at a gateway' });
    await waitFor(() => expect(verdict).toHaveTextContent(/^The algorithm and claims are right\./));
    expect(verdict).toHaveTextContent('gateways load the keys from the key set URL');
    expect(verdict).toHaveTextContent('The token names the consumer anna.');
    await user.type(jwt.getByLabelText('Issuer'), 'x');
    expect(verdict).toHaveTextContent(
      'Refused with 401: The issuer of the token (iss) is "https://login.test/"',
    );
  });
});

describe('IP access', () => {
  it('says whether an address is let in, and by which entry', async () => {
    const plugins = { ipAccess: { allow: ['10.0.0.0/8'], deny: ['10.0.0.13'] } };
    server.use(http.get(api('routers/shop'), () => tagged({ ...router, plugins }, '"1"')));
    const user = renderApp('/routers/shop?tab=plugins');
    const access = within(await screen.findByRole('group', { name: 'IP access' }));
    const address = await access.findByRole('textbox', { name: 'Try an address' });
    const verdict = access.getByRole('status', { name: 'Answer for the address' });
    for (const [typed, told] of [
      ['10.0.0', 'This is not an IP address.'],
      ['10.1.2.3', 'Allowed. 10.0.0.0/8 of the list Allow contains it.'],
      ['10.0.0.13', 'Refused with 403. 10.0.0.13 of the list Deny contains it.'],
      ['192.0.2.1', 'Refused with 403. No entry of the list Allow contains it.'],
    ] as const) {
      await user.clear(address);
      await user.type(address, typed);
      expect(verdict).toHaveTextContent(told);
    }
  });
});

describe('the rewriting of a path', () => {
  const plugins = { rewritePath: { regexp: '/old/(.*)', replacement: '/new/$1' } };
  const pass = { id: 'pass', upstreamId: 'nodes', stripPrefix: '/new', plugins };

  it('has a gateway say what a node receives, by what the form has now', async () => {
    const asked = vi.fn<(test: { operations: { kind: string; body: unknown }[] }) => void>();
    server.use(
      http.get(api('proxy-passes/pass'), () => tagged(pass, '"1"')),
      http.post(api('route-tests'), async ({ request }) => {
        const test = (await request.json()) as { url: string; operations: { kind: string; body: unknown }[] };
        asked(test);
        return HttpResponse.json({
          gatewayId: 'gw-1',
          revision: 3,
          outcome: 'FORWARDED',
          detail: '',
          losers: [],
          furtherLosers: 0,
          filters: [],
          upstreams: [],
          request: { method: 'GET', path: '/a', query: 'x=1', headers: [] },
        });
      }),
    );
    const user = renderApp('/proxy-passes/pass?tab=plugins');
    const rewriting = within(await screen.findByRole('group', { name: 'Rewrite path' }));
    await user.type(await rewriting.findByRole('textbox', { name: 'Try a path' }), '/old/a?x=1');
    const answer = rewriting.getByRole('status', { name: 'What a node receives' });
    await waitFor(() =>
      expect(answer).toHaveTextContent(
        'The node receives /a?x=1. The prefixes of this proxy pass are applied, too.',
      ),
    );
    const { operations } = asked.mock.lastCall?.[0] ?? { operations: [] };
    expect(operations.find(({ kind }) => kind === 'PROXY_PASS')?.body).toMatchObject({
      stripPrefix: '/new',
      plugins,
    });
  });

  it('says which field a gateway cannot read', async () => {
    server.use(
      http.get(api('proxy-passes/pass'), () => tagged(pass, '"1"')),
      http.post(api('route-tests'), () =>
        problem(422, 'Operations cannot be done', {
          errors: [
            {
              pointer: '/operations/1/body/plugins/rewritePath/regexp',
              detail: 'wrong',
              code: 'INVALID',
              values: { given: '/old/(.*', expected: 'an RE2 expression; missing closing )' },
            },
          ],
        }),
      ),
    );
    const user = renderApp('/proxy-passes/pass?tab=plugins');
    const rewriting = within(await screen.findByRole('group', { name: 'Rewrite path' }));
    await user.type(await rewriting.findByRole('textbox', { name: 'Try a path' }), '/old/a');
    const answer = rewriting.getByRole('status', { name: 'What a node receives' });
    await waitFor(() => expect(answer).toHaveTextContent('missing closing )'));
  });

  it('is not offered to viewers, who may not ask about a draft', async () => {
    server.use(http.get(api('proxy-passes/pass'), () => tagged(pass, '"1"')));
    renderApp('/proxy-passes/pass?tab=plugins', { role: 'VIEWER' });
    await screen.findByRole('group', { name: 'Rewrite path' });
    expect(screen.queryByRole('textbox', { name: 'Try a path' })).toBeNull();
  });
});

describe('a consumer', () => {
  it('gets a key that nobody guesses', async () => {
    const sent = vi.fn();
    server.use(
      http.post(api('consumers'), async ({ request }) => {
        const body = await request.json();
        sent(body);
        return HttpResponse.json({ resource: body, revision: acknowledged }, { status: 201 });
      }),
    );
    const user = renderApp('/new/consumers');
    await user.type(await screen.findByRole('textbox', { name: /^Id/ }), 'anna');
    await user.click(screen.getByRole('button', { name: 'Add key' }));
    const row = within(screen.getByRole('group', { name: 'key 1' }));
    await user.type(row.getByRole('textbox', { name: /^Name/ }), 'laptop');
    expect(row.queryByRole('button', { name: 'Copy the key' })).not.toBeInTheDocument();
    await user.click(row.getByRole('button', { name: 'Generate a key' }));
    const key = row.getByRole('textbox', { name: /^New key/ });
    expect(key).toHaveDisplayValue(/^[0-9a-f]{64}$/);
    expect(row.getByRole('button', { name: 'Copy the key' })).toBeVisible();
    const first = (key as HTMLInputElement).value;
    await user.click(row.getByRole('button', { name: 'Generate a key' }));
    expect(key).not.toHaveValue(first);
    const { value } = key as HTMLInputElement;
    await user.click(screen.getByRole('button', { name: 'Create consumer' }));
    await waitFor(() => expect(sent).toHaveBeenCalledOnce());
    expect(sent).toHaveBeenCalledWith(
      expect.objectContaining({ id: 'anna', apiKeys: [{ name: 'laptop', key: value }] }),
    );
  });
});

describe('headers', () => {
  const pass = {
    id: 'p',
    upstreamId: 'shop-nodes',
    requestHeaders: { remove: ['Cookie'], rename: { 'X-Old': 'X-New' }, set: { 'X-Stage': 'test' } },
  };

  it('are one table, in the order in which they are changed', async () => {
    const sent = vi.fn();
    server.use(
      http.get(api('proxy-passes/p'), () => tagged(pass, '"1"')),
      http.put(api('proxy-passes/p'), async ({ request }) => {
        const body = await request.json();
        sent(body);
        return HttpResponse.json({ resource: body, revision: acknowledged });
      }),
    );
    const user = renderApp('/proxy-passes/p');
    await user.click(await screen.findByRole('button', { name: /^Headers/ }));
    const group = within(screen.getByRole('group', { name: 'Request headers' }));
    const table = () => within(group.getByRole('table', { name: 'Request headers' }));
    const rows = () =>
      table()
        .getAllByRole('row')
        .slice(1)
        .map((row) =>
          [
            within(row).getAllByRole('cell')[0]?.textContent,
            ...within(row)
              .getAllByRole('textbox')
              .map((box) => (box as HTMLInputElement).value),
          ].join(' '),
        );
    expect(rows()).toEqual(['Remove Cookie', 'Rename X-Old X-New', 'Set X-Stage test']);
    await user.click(group.getByRole('button', { name: 'Add a header' }));
    await user.type(table().getByRole('textbox', { name: 'Header 4' }), 'Via');
    await user.type(table().getByRole('textbox', { name: 'Value 4' }), 'sigma');
    await user.click(group.getByRole('button', { name: 'Remove a header' }));
    expect(rows()).toEqual([
      'Remove Cookie',
      'Remove ',
      'Rename X-Old X-New',
      'Set X-Stage test',
      'Add Via sigma',
    ]);
    await user.click(table().getByRole('button', { name: 'Remove line 3' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent).toHaveBeenCalledOnce());
    expect(sent).toHaveBeenCalledWith({
      id: 'p',
      upstreamId: 'shop-nodes',
      requestHeaders: { remove: ['Cookie'], set: { 'X-Stage': 'test' }, add: { Via: 'sigma' } },
    });
  });
});
