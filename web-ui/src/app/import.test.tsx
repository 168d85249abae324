import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import { renderApp } from '@/test/render-app';
import { api, problem, server } from '@/test/server';

const done = {
  revision: { number: 8, changed: true },
  created: 1,
  updated: 0,
  deleted: 0,
  unchanged: 3,
  changes: [{ kind: 'ROUTE', id: 'pets.list', action: 'CREATE', after: { path: '/pets' } }],
  warnings: [{ pointer: '/webhooks', detail: 'left out' }],
};

test('an OpenAPI document is previewed before it can be committed', async () => {
  const sent: { dryRun: string | null; ifMatch: string | null; body: unknown }[] = [];
  server.use(
    http.get(api('proxy-servers'), () => HttpResponse.json({ items: [{ id: 'web', port: 80 }] })),
    http.post(api('import/openapi'), async ({ request }) => {
      sent.push({
        dryRun: new URL(request.url).searchParams.get('dryRun'),
        ifMatch: request.headers.get('If-Match'),
        body: await request.json(),
      });
      return HttpResponse.json(done, { headers: { ETag: '"7-a"' } });
    }),
  );
  const user = renderApp('/import');
  const commit = await screen.findByRole('button', { name: 'Commit' });
  expect(commit).toBeDisabled();
  await user.type(screen.getByLabelText('Document'), 'openapi: 3.1.0');
  await user.click(screen.getByRole('combobox', { name: /Proxy server/ }));
  await user.click(await screen.findByRole('option', { name: 'web', hidden: true }));
  await user.click(screen.getByRole('button', { name: 'Preview' }));
  const preview = await screen.findByRole('region', { name: 'Preview' });
  const route = within(preview).getByRole('region', { name: 'route pets.list' });
  expect(within(route).getByText('/path')).toBeVisible();
  expect(within(route).getByText('"/pets"')).toBeVisible();
  expect(screen.getByText('/webhooks')).toBeVisible();
  await user.click(commit);
  expect(await screen.findByText('Committed as revision 8')).toBeVisible();
  expect(sent.map(({ dryRun }) => dryRun)).toEqual(['true', 'false']);
  expect(sent.map(({ ifMatch }) => ifMatch)).toEqual([null, '"7-a"']);
  expect(sent[0]?.body).toMatchObject({ document: 'openapi: 3.1.0', proxyServerId: 'web' });
});

test('a change of the document wants another preview, and a refusal is shown', async () => {
  server.use(
    http.post(api('import/sigma-json'), () =>
      problem(422, 'Invalid values', {
        errors: [{ pointer: '/router/0/pth', detail: 'unknown key', code: 'UNKNOWN_FIELD' }],
      }),
    ),
  );
  const user = renderApp('/import');
  await user.click(await screen.findByRole('radio', { name: 'sigma.json' }));
  await user.click(screen.getByLabelText('Document'));
  await user.paste('{"router":[]}');
  await user.click(screen.getByRole('button', { name: 'Preview' }));
  expect(await screen.findByText('/router/0/pth')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Commit' })).toBeDisabled();
});

test('a file is sent as it was typed: who reads it tells what is wrong with it', async () => {
  const sent: string[] = [];
  server.use(
    http.post(api('import/sigma-json'), async ({ request }) => {
      sent.push(`${request.headers.get('Content-Type')} ${await request.text()}`);
      return problem(400, 'Malformed request', { detail: 'Duplicate field "a"' });
    }),
  );
  const user = renderApp('/import');
  await user.click(await screen.findByRole('radio', { name: 'sigma.json' }));
  await user.click(screen.getByLabelText('Document'));
  await user.paste('{"a":9007199254740993,"a":1}');
  await user.click(screen.getByRole('button', { name: 'Preview' }));
  expect(await screen.findByText(/Duplicate field/)).toBeVisible();
  expect(sent).toEqual(['application/json {"a":9007199254740993,"a":1}']);
});

test('a viewer exports, and is not offered to import', async () => {
  renderApp('/import', { role: 'VIEWER' });
  expect(await screen.findByRole('button', { name: 'Export sigma.json' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Commit' })).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Preview' })).not.toBeInTheDocument();
});

test('what operations would lose is shown, and force is sent', async () => {
  const sent: unknown[] = [];
  server.use(
    http.get(api('proxy-servers'), () => HttpResponse.json({ items: [{ id: 'web', port: 80 }] })),
    http.post(api('import/openapi'), async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({
        ...done,
        losses: [{ pointer: '/paths/~1admin/get', detail: 'a new operation without plugins' }],
      });
    }),
  );
  const user = renderApp('/import');
  await user.type(await screen.findByLabelText('Document'), 'openapi: 3.1.0');
  await user.click(screen.getByRole('combobox', { name: /Proxy server/ }));
  await user.click(await screen.findByRole('option', { name: 'web', hidden: true }));
  await user.type(screen.getByLabelText('Server'), '1');
  await user.click(screen.getByLabelText(/lose additions/));
  await user.click(screen.getByRole('button', { name: 'Preview' }));
  expect(await screen.findByText(/1 operation loses/)).toBeVisible();
  expect(screen.getByText('a new operation without plugins')).toBeVisible();
  expect(sent[0]).toMatchObject({ force: true, server: 1 });
});

test('an imported API is removed as a whole, as it was shown', async () => {
  const asked: string[] = [];
  server.use(
    http.get(api('import/openapi'), () =>
      HttpResponse.json({ items: [{ id: 'pets', name: 'Pet Store', resources: 5, routes: 2 }] }),
    ),
    http.delete(api('import/openapi/pets'), ({ request }) => {
      asked.push(
        `${new URL(request.url).searchParams.get('dryRun') ?? ''} ${request.headers.get('If-Match') ?? ''}`,
      );
      return HttpResponse.json({ ...done, created: 0, deleted: 5 }, { headers: { ETag: '"7-a"' } });
    }),
  );
  const user = renderApp('/import');
  await user.click(await screen.findByRole('button', { name: 'Remove pets' }));
  expect(await screen.findByText(/The 5 resources/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText(/Removed the API pets/)).toBeVisible();
  expect(asked).toEqual(['true ', ' "7-a"']);
});
