import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { renderApp } from '@/test/render-app';
import { api, problem, revision, server, shopNodes, tagged } from '@/test/server';

it('a conflict can be settled while another revision makes the page read again', async () => {
  let send: (text: string) => void = () => undefined;
  let readAgain = false;
  server.use(
    http.get(api('events'), () => {
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          send = (text) => controller.enqueue(new TextEncoder().encode(text));
        },
      });
      return new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } });
    }),
    http.put(api('upstreams/shop-nodes'), () => {
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
  await user.click(within(alert).getByRole('button', { name: 'Show the differences' }));
  await within(alert).findByRole('row', { name: '/name "Shop backends" "Theirs"' });

  server.use(
    http.get(api('upstreams/shop-nodes'), () => {
      readAgain = true;
      return new Promise<never>(() => undefined);
    }),
  );
  send(`event: revision\ndata: ${JSON.stringify({ ...revision, number: 9 })}\n\n`);
  await expect.poll(() => readAgain, { timeout: 15_000 }).toBe(true);
  await user.click(within(alert).getByRole('button', { name: 'Reload and discard my edits' }));
  expect(await screen.findByDisplayValue('Theirs')).toBeVisible();
});
