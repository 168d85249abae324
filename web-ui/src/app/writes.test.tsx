import { screen, waitFor, within } from '@testing-library/react';
import { delay, http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { renderApp } from '@/test/render-app';
import { acknowledged, api, eventStream, problem, revision, server, shopNodes, tagged } from '@/test/server';

/** Lets an answer come when it is asked for. */
function held(): { readonly answer: Promise<void>; readonly release: () => void } {
  let release: () => void = () => undefined;
  const answer = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { answer, release: () => release() };
}

const saved = { resource: shopNodes, revision: acknowledged };
const OUTCOME = 'Revision 8, acknowledged by 2 of 2 gateways in 31 ms.';

describe('a write whose answer is lost', () => {
  it('is sent once more under the same key, and by hand as well', async () => {
    const keys: (string | null)[] = [];
    server.use(
      http.put(api('upstreams/shop-nodes'), ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return keys.length < 4 ? HttpResponse.error() : HttpResponse.json(saved);
      }),
    );
    const user = renderApp('/upstreams/shop-nodes');
    await user.type(await screen.findByLabelText('Name'), '!');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Control plane unreachable');
    expect(keys).toHaveLength(2);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(OUTCOME)).toBeVisible();
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys).size).toBe(1);
  });

  it('has another key when it is another one', async () => {
    const keys: (string | null)[] = [];
    server.use(
      http.put(api('upstreams/shop-nodes'), ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return problem(422, 'Unprocessable Content');
      }),
    );
    const user = renderApp('/upstreams/shop-nodes');
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    await screen.findByText('Unprocessable Content');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(keys).toHaveLength(2));
    expect(keys[0]).not.toBe(keys[1]);
  });
});

describe('a write under way', () => {
  it('keeps its dialog open until there is an outcome', async () => {
    const { answer, release } = held();
    server.use(
      http.delete(api('upstreams/shop-nodes'), async () => {
        await answer;
        return HttpResponse.json({ revision: acknowledged });
      }),
    );
    const user = renderApp('/upstreams');
    await user.click(await screen.findByRole('button', { name: 'Delete shop-nodes' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete upstream?' });
    await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Delete' })).toBeEnabled());
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Cancel' })).toBeDisabled());
    await user.keyboard('{Escape}');
    expect(screen.getByRole('dialog', { name: 'Delete upstream?' })).toBeVisible();
    release();
    expect(await screen.findByText(OUTCOME)).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it.each([
    ['saved', () => HttpResponse.json(saved), OUTCOME],
    ['refused', () => problem(409, 'Conflict', { detail: 'no room' }), 'no room'],
  ] as const)('is told of when its form was left: %s', async (_, response, told) => {
    const { answer, release } = held();
    let asked = false;
    server.use(
      http.put(api('upstreams/shop-nodes'), async () => {
        asked = true;
        await answer;
        return response();
      }),
    );
    const user = renderApp('/upstreams/shop-nodes');
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    await waitFor(() => expect(asked).toBe(true));
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled();
    await user.click(screen.getByRole('link', { name: 'Gateways' }));
    await screen.findByRole('heading', { name: 'Gateways' });
    release();
    expect(await screen.findByText(told)).toBeVisible();
    expect(window.location.pathname).toBe('/gateways');
  });
});

describe('deleting', () => {
  it('says why, and deletes only what was there when it was asked', async () => {
    const asked: [string | null, string | null][] = [];
    server.use(
      http.delete(api('upstreams/shop-nodes'), ({ request }) => {
        asked.push([request.headers.get('If-Match'), new URL(request.url).searchParams.get('message')]);
        if (asked.length === 1) {
          server.use(http.get(api('upstreams/shop-nodes'), () => tagged(shopNodes, '"two"')));
          return problem(412, 'Precondition Failed');
        }
        return HttpResponse.json({ revision: acknowledged });
      }),
    );
    const user = renderApp('/upstreams');
    await user.click(await screen.findByRole('button', { name: 'Delete shop-nodes' }));
    const dialog = await screen.findByRole('dialog', { name: 'Delete upstream?' });
    await user.type(within(dialog).getByLabelText('Why'), 'Moved');
    await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Delete' })).toBeEnabled());
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect(
      await within(dialog).findByText('Another user changed this upstream in the meantime'),
    ).toBeVisible();
    await delay(200);
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText(OUTCOME)).toBeVisible();
    expect(asked).toEqual([
      ['"one"', 'Moved'],
      ['"two"', 'Moved'],
    ]);
  });

  it('by somebody else leaves the form, from which it can be created again', async () => {
    const created: unknown[] = [];
    server.use(
      http.put(api('upstreams/shop-nodes'), () => {
        server.use(http.get(api('upstreams/shop-nodes'), () => problem(404, 'Not Found')));
        return problem(412, 'Precondition Failed');
      }),
      http.post(api('upstreams'), async ({ request }) => {
        created.push(await request.json());
        return HttpResponse.json(saved, { status: 201 });
      }),
    );
    const user = renderApp('/upstreams/shop-nodes');
    await user.type(await screen.findByLabelText('Name'), ' again');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await user.click(await screen.findByRole('button', { name: 'Create it again' }));
    expect(await screen.findByText(OUTCOME)).toBeVisible();
    expect(created).toEqual([{ ...shopNodes, name: 'Shop backends again' }]);
  });
});

describe('the outcome of a write', () => {
  it('tells who could not say beforehand, and when the analysis was late', async () => {
    const revision = {
      ...acknowledged,
      analysed: false,
      votes: [
        { gatewayId: 'gw-1', vote: 'ACCEPT' },
        { gatewayId: 'gw-2', vote: 'SILENT' },
      ],
    };
    server.use(http.put(api('upstreams/shop-nodes'), () => HttpResponse.json({ ...saved, revision })));
    const user = renderApp('/upstreams/shop-nodes');
    await user.click(await screen.findByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Gateway gw-2 did not answer whether it can serve this.')).toBeVisible();
    expect(screen.getByText(/^The analysis did not finish in time/)).toBeVisible();
  });
});

describe('a viewer', () => {
  it('is not asked to settle what somebody else changed', async () => {
    const send = eventStream();
    renderApp('/upstreams/shop-nodes', { role: 'VIEWER' });
    await screen.findByDisplayValue('Shop backends');
    await screen.findByText('Live');
    server.use(
      http.get(api('upstreams/shop-nodes'), () => tagged({ ...shopNodes, name: 'Theirs' }, '"two"')),
    );
    send('revision', { ...revision, number: 9 });
    expect(await screen.findByDisplayValue('Theirs')).toBeVisible();
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});

describe('what was typed', () => {
  it('comes back after a glance at an alternative', async () => {
    server.use(
      http.get(api('proxy-passes/p'), () =>
        tagged({ id: 'p', redirect: { status: 308, location: 'https://new.example.com' } }, '"one"'),
      ),
    );
    const user = renderApp('/proxy-passes/p');
    await screen.findByDisplayValue('https://new.example.com');
    await user.click(screen.getByRole('radio', { name: 'Forward to an upstream' }));
    expect(screen.queryByDisplayValue('https://new.example.com')).not.toBeInTheDocument();
    await user.click(screen.getByRole('radio', { name: 'Redirect the client' }));
    expect(await screen.findByDisplayValue('https://new.example.com')).toBeVisible();
  });

  it('into an import is not lost without a question', async () => {
    const user = renderApp('/import');
    await user.type(await screen.findByLabelText('Document'), 'openapi: 3.1.0');
    await user.click(screen.getByRole('link', { name: 'Gateways' }));
    await user.click(await screen.findByRole('button', { name: 'Stay' }));
    expect(screen.getByLabelText('Document')).toHaveValue('openapi: 3.1.0');
  });
});

describe('a token that was made', () => {
  it('stays until it is done with', async () => {
    server.use(
      http.get(api('tokens'), () => HttpResponse.json({ items: [] })),
      http.post(api('tokens'), () => HttpResponse.json({ token: 'sigma_once' }, { status: 201 })),
    );
    const user = renderApp('/tokens', { role: 'ADMIN' });
    const [opener = document.body] = await screen.findAllByRole('button', { name: 'New token' });
    await user.click(opener);
    await user.type(await screen.findByLabelText(/^Name/), 'ci{Enter}');
    expect(await screen.findByText('sigma_once')).toBeVisible();
    await user.keyboard('{Escape}');
    await delay(500);
    expect(screen.getByText('sigma_once')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Done' }));
    await waitFor(() => expect(screen.queryByText('sigma_once')).not.toBeInTheDocument());
  });
});
