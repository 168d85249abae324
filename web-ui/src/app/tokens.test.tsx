import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import type { ApiToken } from '#client';
import { renderApp } from '@/test/render-app';
import { api, problem, server } from '@/test/server';

const known: ApiToken = {
  name: 'other',
  role: 'VIEWER',
  createdAt: '2026-01-02T03:04:05Z',
  createdBy: 'admin',
};

it('makes no token whose limit is not what was typed', async () => {
  const sent: unknown[] = [];
  server.use(
    http.get(api('tokens'), () => HttpResponse.json({ items: [known] })),
    http.post(api('tokens'), async ({ request }) => {
      sent.push(await request.json());
      return problem(409, 'Taken');
    }),
  );
  const user = renderApp('/tokens', { role: 'ADMIN' });
  await user.click(await screen.findByRole('button', { name: 'New token' }));
  const dialog = await screen.findByRole('dialog', { name: 'New API token' });
  await user.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'pipeline');
  const labels = within(dialog).getByLabelText('Only resources with these labels');
  for (const text of [',', 'team', '=shop', 'team=shop, team=web']) {
    await user.clear(labels);
    await user.type(labels, text);
    await user.click(within(dialog).getByRole('button', { name: 'Create token' }));
    expect(await within(dialog).findByText(/^Each label once/)).toBeVisible();
    expect(labels).toHaveFocus();
  }
  expect(sent).toEqual([]);
  await user.clear(labels);
  await user.type(labels, 'team=shop, env=test');
  await user.click(within(dialog).getByRole('button', { name: 'Create token' }));
  await waitFor(() => expect(sent).toMatchObject([{ labels: { team: 'shop', env: 'test' } }]));
});
