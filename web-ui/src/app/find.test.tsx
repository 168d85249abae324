import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import type { SearchResults } from '#client';
import { renderApp } from '@/test/render-app';
import { api, server } from '@/test/server';

const cart: SearchResults = {
  items: [
    {
      kind: 'ROUTE',
      id: 'cart',
      name: 'Carts',
      enabled: false,
      found: [{ field: 'PATH', value: '/cart/:id/*' }],
    },
  ],
  more: false,
};

function answering(asked: string[]) {
  server.use(
    http.get(api('search'), ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('q') ?? '');
      return HttpResponse.json(cart);
    }),
  );
}

describe('the palette', () => {
  it('opens by the keyboard, says where a word was found, and leads there', async () => {
    const asked: string[] = [];
    answering(asked);
    const user = renderApp('/traffic');
    await screen.findByRole('button', { name: 'Search everything' });
    await user.keyboard('{Control>}k{/Control}');
    await user.type(await screen.findByRole('textbox', { name: 'Search everything' }), '/cart/12');
    const hit = await screen.findByRole('button', { name: /^cart Carts.*path \/cart\/:id\/\*.*disabled$/ });
    expect(asked).toContain('/cart/12');
    expect(hit).toBeVisible();
    await user.keyboard('{Enter}');
    expect(window.location.pathname).toBe('/routes/cart');
  });

  it('finds pages and actions, without asking for what is typed when it is a curl command', async () => {
    const asked: string[] = [];
    answering(asked);
    const user = renderApp('/traffic');
    await user.click(await screen.findByRole('button', { name: 'Search everything' }));
    const input = await screen.findByRole('textbox', { name: 'Search everything' });
    expect(await screen.findByRole('button', { name: 'Revisions' })).toBeVisible();
    await user.type(input, 'new ups');
    expect(await screen.findByRole('button', { name: 'New upstream' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Revisions' })).toBeNull();
    await user.clear(input);
    asked.length = 0;
    await user.type(input, "curl -X POST 'https://shop.example.com/cart'");
    await user.click(
      await screen.findByRole('button', {
        name: /^Which route takes POST https:\/\/shop\.example\.com\/cart\?/,
      }),
    );
    expect(asked.filter((words) => words.includes('example.com'))).toEqual([]);
    expect(window.location.pathname).toBe('/route-test');
    const form = await screen.findByRole('form').catch(() => document.body);
    expect(await within(form).findByDisplayValue('https://shop.example.com/cart')).toBeVisible();
  });

  it('offers nothing that a viewer may not do', async () => {
    answering([]);
    const user = renderApp('/traffic', { role: 'VIEWER' });
    await user.click(await screen.findByRole('button', { name: 'Search everything' }));
    await user.type(await screen.findByRole('textbox', { name: 'Search everything' }), 'new');
    expect(await screen.findByRole('button', { name: /^cart Carts/ })).toBeVisible();
    expect(screen.queryByRole('button', { name: /^New / })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Audit log' })).toBeNull();
  });
});
