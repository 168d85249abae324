import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import { problemText } from '@/lib/api/problem-text';
import { beginSession } from '@/lib/session';
import { renderApp } from '@/test/render-app';
import { api, problem, revision, server, settingsAccount, TOKEN } from '@/test/server';

const ours = { id: 'ours', port: 80, labels: { team: 'shop' } };
const theirs = { id: 'theirs', port: 81 };

beforeEach(() => {
  beginSession(TOKEN, {
    ...settingsAccount,
    name: 'token:shop',
    role: 'EDITOR',
    credential: 'TOKEN',
    kinds: ['PROXY_SERVER', 'ROUTE'],
    labels: { team: 'shop' },
  });
  server.use(
    http.get(api('proxy-servers'), () => HttpResponse.json({ items: [ours, theirs], total: 2 })),
    http.get(api('proxy-servers/:id'), ({ params }) =>
      HttpResponse.json(params.id === 'ours' ? ours : theirs, { headers: { ETag: '"1"' } }),
    ),
  );
});

const REASON = 'Your token changes only resources with the label team=shop.';

it('is offered in a list what it may do', async () => {
  renderApp('/proxy-servers', { loggedIn: false });
  const table = await screen.findByRole('table', { name: 'Proxy servers' });
  expect(await within(table).findByRole('switch', { name: 'Enabled: ours' })).toBeEnabled();
  expect(within(table).queryByRole('switch', { name: 'Enabled: theirs' })).toBeNull();
  expect(within(table).getByRole('button', { name: 'Delete ours' })).toBeEnabled();
  const remove = within(table).getByRole('button', { name: 'Delete theirs' });
  expect(remove).toBeDisabled();
  expect(remove).toHaveAttribute('title', REASON);
});

it('selects in a list only what it may change', async () => {
  const user = renderApp('/proxy-servers', { loggedIn: false });
  const table = await screen.findByRole('table', { name: 'Proxy servers' });
  const theirs = await within(table).findByRole('checkbox', { name: 'Select theirs' });
  expect(theirs).toBeDisabled();
  expect(theirs).toHaveAttribute('title', REASON);
  await user.click(within(table).getByRole('checkbox', { name: 'Select all rows' }));
  expect(await screen.findByText('1 proxy server selected')).toBeVisible();
  expect(theirs).not.toBeChecked();
});

it('is offered no import', async () => {
  renderApp('/import', { loggedIn: false });
  expect(
    await screen.findByText(
      'Your token can export. It cannot import, because imported resources lack its labels.',
    ),
  ).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Preview' })).toBeNull();
  // Nor another page for what it would create.
  expect(screen.queryByRole('link', { name: 'Expose a service' })).toBeNull();
});

it('is offered to roll back only what it may change', async () => {
  const change = (kind: string, id: string) => ({
    kind,
    id,
    action: 'UPDATE',
    fields: [{ pointer: '/port', before: 80, after: 81 }],
  });
  server.use(
    http.get(api('revisions/:number/diff/:other'), () =>
      HttpResponse.json({
        from: 6,
        to: 7,
        truncated: false,
        changes: [
          change('PROXY_SERVER', 'ours'),
          change('PROXY_SERVER', 'theirs'),
          change('UPSTREAM', 'nodes'),
        ],
      }),
    ),
    http.get(api('revisions/:number'), () =>
      HttpResponse.json({ ...revision, changes: [], changesTotal: 0, truncated: false }),
    ),
  );
  renderApp('/revisions/7', { loggedIn: false });
  expect(await screen.findByRole('button', { name: 'Roll back ours' })).toBeVisible();
  expect(screen.getByRole('region', { name: 'upstream nodes' })).toBeVisible();
  expect(screen.getAllByRole('button', { name: /^Roll back/ })).toHaveLength(1);
});

it('is told by a form why it changes nothing', async () => {
  renderApp('/proxy-servers/theirs?tab=edit', { loggedIn: false });
  expect(await screen.findByText(REASON)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Delete' })).toBeDisabled();
});

it('asks for no traffic of a route that lacks its labels', async () => {
  const asked: string[] = [];
  server.use(
    http.get(api('routes/:id'), ({ params }) =>
      HttpResponse.json(
        {
          id: params.id,
          path: '/*',
          routerId: 'shop',
          proxyPassId: 'to-shop',
          ...(params.id === 'ours' ? { labels: { team: 'shop' } } : {}),
        },
        { headers: { ETag: '"1"' } },
      ),
    ),
    http.get(api('traffic'), ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('route') ?? '');
      return problem(403, 'forbidden');
    }),
  );
  renderApp('/routes/theirs?tab=traffic', { loggedIn: false });
  expect(
    await screen.findByText('Your token sees the traffic of resources with the label team=shop only.'),
  ).toBeVisible();
  expect(asked.filter((id) => id !== '')).toEqual([]);
});

it('is offered nothing of a kind that it may not change', async () => {
  renderApp('/upstreams', { loggedIn: false });
  expect(await screen.findByRole('link', { name: 'shop-nodes' })).toBeVisible();
  expect(screen.queryByRole('link', { name: /^New upstream/ })).toBeNull();
  expect(screen.queryByRole('button', { name: /^Delete/ })).toBeNull();
});

it('creates with its labels', async () => {
  const user = renderApp('/new/routes', { loggedIn: false });
  const form = await screen.findByRole('form', { name: 'New route' });
  await user.click(within(form).getByRole('button', { name: /^Notes/ }));
  expect(await within(form).findByDisplayValue('shop')).toBeVisible();
});

it.each([
  [
    'ROUTE/cart (expected: the labels of this token, {team=shop}, before and after)',
    'Nothing was changed. Your token changes only resources with the labels team=shop. The route cart lacks one.',
  ],
  [
    'PROXY_PASS/cart (expected: one of the kinds of this token, [ROUTE])',
    'Nothing was changed. Your token cannot change proxy passes.',
  ],
  ['role: VIEWER of anna (expected: EDITOR)', 'Your role is not allowed to do this.'],
])('says a refusal in words: %s', (detail, said) => {
  expect(
    problemText({ type: 'urn:sigma:problem:forbidden', title: 'Not allowed', status: 403, detail }),
  ).toBe(said);
});
