import { fireEvent, screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { inLabels, labelsOf } from '@/components/form/field-labels';
import { copyOf } from '@/features/resources/copy-of';
import { resourceForms } from '@/features/resources/resource-forms';
import { renderApp } from '@/test/render-app';
import { acknowledged, api, server, shopHealth, shopNodes } from '@/test/server';

function accepting(): ReturnType<typeof vi.fn> {
  const received = vi.fn();
  server.use(
    http.put(api('upstreams/shop-nodes'), () =>
      HttpResponse.json({ resource: shopNodes, revision: acknowledged }),
    ),
    http.post(api('routers'), async ({ request }) => {
      received(await request.json());
      return HttpResponse.json({ resource: { id: 'r', proxyServerId: 'web' }, revision: acknowledged });
    }),
  );
  return received;
}

describe('a form', () => {
  it('is left without a question when nothing differs', async () => {
    const user = renderApp('/upstreams/shop-nodes');
    const name = await screen.findByRole('textbox', { name: 'Name' });
    await user.type(name, 's');
    await user.type(name, '{Backspace}');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByRole('heading', { name: 'Upstreams' })).toBeVisible();
  });

  it('can be read and not typed into by a viewer', async () => {
    const user = renderApp('/upstreams/shop-nodes', { role: 'VIEWER' });
    expect(await screen.findByRole('textbox', { name: 'Name' })).toBeDisabled();
    expect(screen.queryByRole('textbox', { name: 'Why this change' })).not.toBeInTheDocument();
    const section = screen.getByRole('button', { name: /^Connection pool/ });
    await user.click(section);
    expect(section).toHaveAttribute('aria-expanded', 'true');
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(await screen.findByRole('heading', { name: 'Upstreams' })).toBeVisible();
  });

  it('leads back to the list with its filter', async () => {
    accepting();
    const user = renderApp('/upstreams?q=shop');
    await user.click(await screen.findByRole('link', { name: 'shop-nodes' }));
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), '!');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('heading', { name: 'Upstreams' })).toBeVisible();
    expect(window.location.search).toBe('?q=shop');
  });

  it('takes each line that is pasted as a value, and a comma as part of one', async () => {
    const user = renderApp('/new/routers');
    const hosts = await screen.findByRole('combobox', { name: 'Hosts' });
    fireEvent.paste(hosts, { clipboardData: { getData: () => 'a.example.com\r\n b.example.com\n' } });
    expect(await screen.findByText('a.example.com')).toBeVisible();
    expect(screen.getByText('b.example.com')).toBeVisible();

    await user.click(screen.getByRole('link', { name: 'Consumers' }));
    await user.click(await screen.findByRole('button', { name: 'Leave' }));
  });
});

it('takes a comma as part of a value where values may have one', async () => {
  const user = renderApp('/new/consumers');
  const subjects = await screen.findByRole('combobox', { name: 'Subjects of tokens' });
  await user.type(subjects, 'CN=shop,O=Example{Enter}');
  expect(screen.getByText('CN=shop,O=Example')).toBeVisible();
});

it('moves the focus to the content when the page changes under it', async () => {
  const user = renderApp('/upstreams');
  await user.click(await screen.findByRole('link', { name: 'shop-nodes' }));
  await screen.findByRole('textbox', { name: 'Name' });
  await waitFor(() => expect(screen.getByRole('main')).toHaveFocus());
});

it('is not green about nodes that nobody checked', async () => {
  const nodes = shopHealth.nodes?.map((node) => ({ ...node, state: 'UNKNOWN' }));
  server.use(http.get(api('upstreams/shop-nodes/health'), () => HttpResponse.json({ ...shopHealth, nodes })));
  renderApp('/upstreams');
  expect(await screen.findByText('1 of 1, not checked')).toBeVisible();
});

it('copies a consumer without what only one can have', () => {
  expect(
    copyOf<'consumers'>({
      id: 'shop',
      groups: ['mobile'],
      apiKeys: [{ name: 'production', sha256: '[redacted]' }],
      logins: [{ username: 'shop', passwordHash: '[redacted]' }],
    }),
  ).toEqual({ groups: ['mobile'] });
});

it('says help texts in the words of the labels', () => {
  const labels = labelsOf(resourceForms.routes);
  expect(inLabels('Without `jwksUrl`, see `GET` and `no such`.', 'JwtPlugin', labels)).toBe(
    'Without “Key set URL”, see `GET` and `no such`.',
  );
});
