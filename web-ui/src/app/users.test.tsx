import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, expect, it } from 'vitest';
import type { User } from '#client';
import { renderApp } from '@/test/render-app';
import { api, server } from '@/test/server';

const anna: User = {
  name: 'anna',
  role: 'EDITOR',
  disabled: false,
  mustChangePassword: false,
  createdAt: '2026-01-02T03:04:05Z',
  passwordChangedAt: '2026-01-02T03:04:05Z',
};
let sent: unknown[];

beforeEach(() => {
  sent = [];
  server.use(
    http.get(api('users'), () => HttpResponse.json({ items: [anna] })),
    http.patch(api('users/anna'), async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json(anna);
    }),
  );
});

async function openEditor(user: ReturnType<typeof renderApp>) {
  await user.click(await screen.findByRole('button', { name: 'Edit anna' }));
  return screen.findByRole('dialog', { name: 'Edit user anna' });
}

it('sends what was changed alone, so that nothing that others did meanwhile is undone', async () => {
  const user = renderApp('/users', { role: 'ADMIN' });
  const dialog = await openEditor(user);
  await user.type(within(dialog).getByLabelText('New password'), 'a password of words');
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sent).toEqual([{ password: 'a password of words' }]));
});

it('asks for nothing when nothing was changed', async () => {
  const user = renderApp('/users', { role: 'ADMIN' });
  const dialog = await openEditor(user);
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  expect(sent).toEqual([]);
});
