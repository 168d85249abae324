import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import { problemText } from '@/lib/api/problem-text';
import { beginSession } from '@/lib/session';
import { renderApp } from '@/test/render-app';
import { api, server, settingsAccount, TOKEN } from '@/test/server';

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

it('is told by a form why it changes nothing', async () => {
  renderApp('/proxy-servers/theirs?tab=edit', { loggedIn: false });
  expect(await screen.findByText(REASON)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Delete' })).toBeDisabled();
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
