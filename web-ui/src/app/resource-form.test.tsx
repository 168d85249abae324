import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { renderApp } from '@/test/render-app';
import { acknowledged, api, problem, server, shopNodes, tagged } from '@/test/server';

describe('creating a resource', () => {
  it('sends what was typed and tells what the gateways said', async () => {
    const received = vi.fn();
    server.use(
      http.post(api('upstreams'), async ({ request }) => {
        received(await request.json(), new URL(request.url).searchParams.toString());
        return HttpResponse.json(
          { resource: { ...shopNodes, id: 'new' }, revision: acknowledged },
          { status: 201 },
        );
      }),
    );
    const user = renderApp('/new/upstreams');
    await user.type(await screen.findByLabelText('Id'), 'new');
    await user.type(screen.getByLabelText(/URL/), 'http://10.0.0.9:80');
    await user.type(screen.getByLabelText('Why this change'), 'More room{Enter}');

    expect(await screen.findByText('Revision 8, acknowledged by 2 of 2 gateways in 31 ms.')).toBeVisible();
    expect(received).toHaveBeenCalledExactlyOnceWith(
      { id: 'new', nodes: [{ url: 'http://10.0.0.9:80' }] },
      'wait=all&timeout=5s&message=More+room',
    );
    expect(await screen.findByRole('heading', { name: 'Upstreams' })).toBeVisible();
  });

  it('shows why a gateway refused the revision', async () => {
    const refusal = { revision: 8, pointer: '/upstreams/new', message: 'no such host' };
    server.use(
      http.post(api('upstreams'), () =>
        HttpResponse.json({
          resource: shopNodes,
          revision: { ...acknowledged, gateways: [{ gatewayId: 'gw-1', answer: 'NACK', refusal }] },
        }),
      ),
    );
    const user = renderApp('/new/upstreams');
    await user.type(await screen.findByLabelText(/URL/), 'http://nowhere{Enter}');
    expect(await screen.findByText('gw-1 refused it: no such host (/upstreams/new)')).toBeVisible();
    expect(screen.getByText('Revision 8, acknowledged by 0 of 1 gateway.')).toBeVisible();
  });

  it('names required fields that are empty, and sends nothing', async () => {
    const user = renderApp('/new/routers');
    await user.click(await screen.findByRole('button', { name: 'Create router' }));
    expect(screen.getByText('Required')).toBeVisible();
  });
});

describe('a validation problem', () => {
  it('lands on its fields, opens their section and takes the focus there', async () => {
    server.use(
      http.post(api('upstreams'), () =>
        problem(422, 'Unprocessable Content', {
          errors: [
            {
              pointer: '/pool/queueMax',
              detail: '-1 (expected: 0..100000)',
              code: 'RANGE',
              values: { given: '-1', minimum: 0, maximum: 100_000 },
            },
            { pointer: '/somewhere/else', detail: 'is unknown', code: 'INVALID' },
          ],
        }),
      ),
    );
    const user = renderApp('/new/upstreams');
    await user.type(await screen.findByLabelText(/URL/), 'http://a{Enter}');

    const field = await screen.findByLabelText('Waiting requests');
    expect(field).toBeVisible();
    expect(field).toHaveFocus();
    expect(field).toBeInvalid();
    expect(field).toHaveAccessibleDescription(/Waiting requests must be between 0 and 100,000\./);
    expect(screen.getByRole('alert')).toHaveTextContent('Somewhere › Else: is unknown');
    expect(screen.getByRole('alert')).not.toHaveTextContent('queueMax');

    await user.type(field, '5');
    expect(field).toBeValid();
  });
});

describe('conditions of a route', () => {
  const route = { id: 'beta', routerId: 'shop', path: '/*', proxyPassId: 'to-shop' };

  it('are added and removed as rows, and the problem of one lands on its field', async () => {
    const received = vi.fn();
    server.use(
      http.get(api('routes/beta'), () => tagged(route, '"one"')),
      http.put(api('routes/beta'), async ({ request }) => {
        received(await request.json());
        return problem(422, 'Unprocessable Content', {
          errors: [
            {
              pointer: '/headers/1/regex',
              detail: '"(" (expected: an RE2 expression)',
              code: 'INVALID',
              values: { given: '(', expected: 'an RE2 expression' },
            },
          ],
        });
      }),
    );
    const user = renderApp('/routes/beta?tab=edit');
    await user.click(await screen.findByRole('button', { name: /^Conditions/ }));
    const fields = screen.getByRole('group', { name: 'Header fields' });
    expect(within(fields).queryByRole('textbox')).not.toBeInTheDocument();
    const add = within(fields).getByRole('button', { name: 'Add header field' });
    await user.click(add);
    await user.click(add);
    await user.click(add);
    const row = (index: number) =>
      within(within(fields).getByRole('group', { name: `header field ${index}` }));
    await user.type(row(1).getByRole('textbox', { name: /^Name/ }), 'X-Version');
    await user.type(row(1).getByRole('textbox', { name: 'is' }), '2');
    await user.click(within(fields).getByRole('button', { name: 'Remove header field 2' }));
    await user.type(row(2).getByRole('textbox', { name: /^Name/ }), 'User-Agent');
    await user.type(row(2).getByRole('textbox', { name: 'or matches' }), '(');
    const cookies = within(screen.getByRole('group', { name: 'Cookies' }));
    await user.click(cookies.getByRole('button', { name: 'Add cookie' }));
    await user.type(cookies.getByRole('textbox', { name: /^Name/ }), 'beta');
    await user.click(cookies.getByRole('combobox', { name: 'or is' }));
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    await user.click(screen.getByRole('button', { name: 'Save' }));

    const wrong = row(2).getByRole('textbox', { name: 'or matches' });
    await waitFor(() => expect(wrong).toHaveFocus());
    expect(wrong).toBeInvalid();
    expect(received).toHaveBeenCalledExactlyOnceWith({
      ...route,
      headers: [
        { name: 'X-Version', value: '2' },
        { name: 'User-Agent', regex: '(' },
      ],
      cookies: [{ name: 'beta', present: false }],
    });
  });
});

describe('an id that is taken', () => {
  it('is said at the id', async () => {
    server.use(
      http.post(api('upstreams'), () => problem(409, 'Id is taken', { detail: 'There is one already.' })),
    );
    const user = renderApp('/new/upstreams');
    await user.type(await screen.findByLabelText('Id'), 'a');
    await user.type(screen.getByLabelText(/URL/), 'http://a{Enter}');
    await waitFor(() => expect(screen.getByLabelText('Id')).toHaveFocus());
    expect(screen.getByLabelText('Id')).toHaveAccessibleDescription(/There is one already/);
  });
});

describe('editing a resource', () => {
  it('sends the tag that was read, and what the form does not know', async () => {
    const received = vi.fn();
    server.use(
      http.get(api('upstreams/shop-nodes'), () => tagged({ ...shopNodes, fromTheFuture: 1 }, '"one"')),
      http.put(api('upstreams/shop-nodes'), async ({ request }) => {
        received(await request.json(), request.headers.get('If-Match'));
        return HttpResponse.json({ resource: shopNodes, revision: acknowledged });
      }),
    );
    const user = renderApp('/upstreams/shop-nodes');
    const name = await screen.findByLabelText('Name');
    await user.clear(name);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText(/^Revision 8/);
    const { name: gone, ...rest } = shopNodes;
    expect(gone).toBe('Shop backends');
    expect(received).toHaveBeenCalledExactlyOnceWith({ ...rest, fromTheFuture: 1 }, '"one"');
  });

  it("does not overwrite somebody else's change unless told to", async () => {
    const tags: (string | null)[] = [];
    server.use(
      http.put(api('upstreams/shop-nodes'), ({ request }) => {
        tags.push(request.headers.get('If-Match'));
        if (request.headers.get('If-Match') === '"two"') {
          return HttpResponse.json({ resource: shopNodes, revision: acknowledged });
        }
        server.use(
          http.get(api('upstreams/shop-nodes'), () => tagged({ ...shopNodes, name: 'Theirs' }, '"two"')),
        );
        return problem(412, 'Precondition Failed');
      }),
    );
    const user = renderApp('/upstreams/shop-nodes');
    await user.type(await screen.findByLabelText('Name'), ' of mine');
    await user.click(screen.getByRole('button', { name: 'Save' }));

    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Another user changed this upstream while you edited it');
    await user.click(within(alert).getByRole('button', { name: 'Show the differences' }));
    const change = await within(alert).findByRole('row', { name: '/name "Shop backends" "Theirs"' });
    expect(change).toBeVisible();
    expect(within(alert).getByRole('row', { name: '/name "Theirs" "Shop backends of mine"' })).toBeVisible();

    await user.click(within(alert).getByRole('button', { name: 'Overwrite with my version' }));
    await screen.findByText(/^Revision 8/);
    expect(tags).toEqual(['"one"', '"two"']);
  });
});

describe('deleting a resource', () => {
  it('lists what refers to it, as links, and deletes nothing', async () => {
    server.use(
      http.delete(api('upstreams/shop-nodes'), () =>
        problem(409, 'Conflict', {
          detail: 'Others refer to it.',
          referrers: [{ kind: 'PROXY_PASS', id: 'to-shop' }],
        }),
      ),
    );
    const user = renderApp('/upstreams');
    await user.click(await screen.findByRole('button', { name: 'Delete shop-nodes' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete upstream?' });
    await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Delete' })).toBeEnabled());
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    const link = await within(dialog).findByRole('link', { name: 'to-shop' });
    expect(link).toHaveAttribute('href', '/proxy-passes/to-shop');
    expect(screen.getByRole('link', { name: 'shop-nodes' })).toBeInTheDocument();
  });
});

describe('objects of any form', () => {
  const pass = {
    id: 'p',
    upstreamId: 'shop-nodes',
    plugins: { extensions: { maintenance: { enabled: false } } },
  };

  it('are edited as JSON, which has to be an object, and problems within are told there', async () => {
    const received = vi.fn();
    server.use(
      http.get(api('proxy-passes/p'), () => tagged(pass, '"one"')),
      http.put(api('proxy-passes/p'), async ({ request }) => {
        received(await request.json());
        return problem(422, 'Unprocessable Content', {
          errors: [
            {
              pointer: '/plugins/extensions/maintenance/retryAfterSeconds',
              detail: '0 (expected: a whole number 1..86400)',
              code: 'RANGE',
              values: { given: '0', minimum: 1, maximum: 86_400 },
            },
          ],
        });
      }),
    );
    const user = renderApp('/proxy-passes/p');
    await user.click(await screen.findByRole('button', { name: /^Plugins/ }));
    const field = screen.getByRole('textbox', { name: 'Plugins of your own' });
    expect(field).toHaveValue('{\n  "maintenance": {\n    "enabled": false\n  }\n}');
    const save = screen.getByRole('button', { name: 'Save' });
    for (const wrong of ['{"a": ', '[]']) {
      await user.clear(field);
      await user.paste(wrong);
      await user.click(save);
      expect(field).toHaveAccessibleDescription(/not a JSON object/);
    }
    expect(received).not.toHaveBeenCalled();
    await user.clear(field);
    await user.paste('{"maintenance":{"retryAfterSeconds":0}}');
    await user.click(save);
    await waitFor(() => expect(field).toHaveFocus());
    expect(field).toHaveAccessibleDescription(
      /^Maintenance › Retry after: Retry after must be between 1 and 86,400\./,
    );
    expect(received).toHaveBeenCalledExactlyOnceWith({
      ...pass,
      plugins: { extensions: { maintenance: { retryAfterSeconds: 0 } } },
    });
  });

  it('are left out when they are emptied', async () => {
    const received = vi.fn();
    server.use(
      http.get(api('proxy-passes/p'), () => tagged(pass, '"one"')),
      http.put(api('proxy-passes/p'), async ({ request }) => {
        received(await request.json());
        return HttpResponse.json({ resource: pass, revision: acknowledged });
      }),
    );
    const user = renderApp('/proxy-passes/p');
    await user.click(await screen.findByRole('button', { name: /^Plugins/ }));
    await user.clear(screen.getByRole('textbox', { name: 'Plugins of your own' }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(received).toHaveBeenCalledExactlyOnceWith({ id: 'p', upstreamId: 'shop-nodes' }),
    );
  });
});

describe('a review before the save', () => {
  it('shows the changes, what gateways say and what the analysis finds, then saves', async () => {
    const tried = vi.fn();
    const received = vi.fn();
    server.use(
      http.post(api('batch'), async ({ request }) => {
        tried(await request.json(), new URL(request.url).search);
        return HttpResponse.json({
          results: [],
          revision: {
            number: 8,
            dryRun: true,
            votes: [
              { gatewayId: 'gw-1', vote: 'ACCEPT' },
              { gatewayId: 'gw-2', vote: 'REFUSE', reason: 'no such host' },
            ],
            findings: [
              {
                severity: 'WARNING',
                rule: 'upstream-unused',
                kind: 'UPSTREAM',
                id: 'shop-nodes',
                pointer: '',
                detail: 'No proxy pass uses it.',
              },
            ],
          },
        });
      }),
      http.put(api('upstreams/shop-nodes'), async ({ request }) => {
        received(await request.json());
        return HttpResponse.json({ resource: shopNodes, revision: acknowledged });
      }),
    );
    const user = renderApp('/upstreams/shop-nodes');
    await user.type(await screen.findByLabelText('Name'), '!');
    await user.click(screen.getByRole('button', { name: 'Review 1 change' }));
    const dialog = await screen.findByRole('dialog', { name: 'Review of upstream shop-nodes' });
    expect(within(dialog).getByRole('row', { name: '/name "Shop backends" "Shop backends!"' })).toBeVisible();
    expect(await within(dialog).findByText('1 of 2 gateways can serve this.')).toBeVisible();
    expect(within(dialog).getByText('Gateway gw-2 cannot serve this: no such host')).toBeVisible();
    expect(within(dialog).getByText(/No proxy pass uses it/)).toBeVisible();
    expect(received).not.toHaveBeenCalled();
    const changed = { ...shopNodes, name: 'Shop backends!' };
    expect(tried).toHaveBeenCalledExactlyOnceWith(
      { operations: [{ action: 'PUT', kind: 'UPSTREAM', id: 'shop-nodes', body: changed }] },
      '?dryRun=true',
    );
    await user.click(within(dialog).getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(/^Revision 8, acknowledged/)).toBeVisible();
    expect(received).toHaveBeenCalledExactlyOnceWith(changed);
  });
});
