import { screen, within } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, it } from 'vitest';
import { renderApp } from '@/test/render-app';
import { api, problem, server } from '@/test/server';

describe('what of a row is needed less often', () => {
  it('is folded, and unfolds by keyboard', async () => {
    const user = renderApp('/upstreams/shop-nodes');
    const node = within(await screen.findByRole('group', { name: 'node 1' }));
    expect(node.getByRole('textbox', { name: /URL/ })).toBeVisible();
    expect(node.queryByRole('switch', { name: 'Drain' })).not.toBeInTheDocument();
    const more = node.getByRole('button', { name: /^More/ });
    expect(more).toHaveAttribute('aria-expanded', 'false');
    more.focus();
    await user.keyboard('{Enter}');
    expect(more).toHaveAttribute('aria-expanded', 'true');
    await user.click(node.getByRole('switch', { name: 'Drain' }));
    expect(more).toHaveTextContent('1 set');
  });

  it('unfolds where something in it is wrong', async () => {
    server.use(
      http.put(api('upstreams/shop-nodes'), () =>
        problem(422, 'Invalid values', {
          errors: [
            {
              pointer: '/nodes/0/drain',
              detail: 'every node drains (expected: one that does not)',
              code: 'INVALID',
              values: { given: 'every node drains', expected: 'one that does not' },
            },
          ],
        }),
      ),
    );
    const user = renderApp('/upstreams/shop-nodes');
    await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Shop');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect((await screen.findAllByText(/Every node drains/)).length).toBeGreaterThan(0);
    const node = within(screen.getByRole('group', { name: 'node 1' }));
    expect(node.getByRole('switch', { name: /Drain/ })).toBeVisible();
  });
});
