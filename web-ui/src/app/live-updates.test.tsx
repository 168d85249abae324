import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { withGateway } from '@/app/live-updates';
import { BACK_OFF_MAX_MILLIS, backOffMillis } from '@/lib/back-off';
import { renderApp } from '@/test/render-app';
import { api, gateway, revision, server, TOKEN } from '@/test/server';

describe('the event stream', () => {
  it('moves gateways and the revision on the screen', async () => {
    let send: (text: string) => void = () => undefined;
    let authorization: string | null = null;
    server.use(
      http.get(api('events'), ({ request }) => {
        authorization = request.headers.get('Authorization');
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            send = (text) => controller.enqueue(new TextEncoder().encode(text));
          },
        });
        return new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } });
      }),
    );
    renderApp('/gateways');
    const row = await screen.findByRole('row', { name: /gw-1/ });
    expect(within(row).getByText('Current')).toBeVisible();
    expect(await screen.findByText('Live')).toBeVisible();

    send(`event: revision\ndata: ${JSON.stringify({ ...revision, number: 9 })}\n\n`);
    send(`event: gateway\ndata: ${JSON.stringify({ ...gateway, state: 'BEHIND', lag: 2 })}\n\n`);

    expect(await within(screen.getByRole('row', { name: /gw-1/ })).findByText('Behind')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Revision 9' })).toBeVisible();
    expect(authorization).toBe(`Bearer ${TOKEN}`);
  });
});

describe('a stream that broke', () => {
  it('goes on after the last event that was heard, and loads afresh when events are lost', async () => {
    const asked: (string | null)[] = [];
    let listed = 0;
    server.use(
      http.get(api('gateways'), () => {
        listed++;
        return HttpResponse.json({ items: [{ ...gateway, state: asked.length > 1 ? 'LOST' : 'CURRENT' }] });
      }),
      http.get(api('events'), ({ request }) => {
        asked.push(request.headers.get('Last-Event-ID'));
        const text =
          asked.length === 1
            ? `event: revision\ndata: ${JSON.stringify(revision)}\n\nid: 17-1\nevent: ready\ndata: {}\n\n`
            : 'event: reset\ndata: {}\n\n';
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => {
            controller.enqueue(new TextEncoder().encode(text));
            if (asked.length === 1) {
              controller.close();
            }
          },
        });
        return new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } });
      }),
    );
    renderApp('/gateways');

    expect(await screen.findByText('Lost', undefined, { timeout: 5000 })).toBeVisible();
    expect(asked.slice(0, 2)).toEqual([null, '17-1']);
    expect(listed).toBeGreaterThan(1);
  });
});

describe('withGateway', () => {
  it('replaces a gateway that is known and keeps the order of ids', () => {
    const known = [gateway, { ...gateway, id: 'gw-3' }];
    const second = { ...gateway, id: 'gw-2' };
    expect(withGateway(known, second).map(({ id }) => id)).toEqual(['gw-1', 'gw-2', 'gw-3']);
    expect(withGateway(known, { ...gateway, lag: 4 }).map(({ lag }) => lag)).toEqual([4, 0]);
  });
});

describe('backOffMillis', () => {
  it('doubles, stays under its bound, and is spread over its upper half', () => {
    expect([0, 1, 2].map((failures) => backOffMillis(failures, () => 1))).toEqual([500, 1000, 2000]);
    expect(backOffMillis(1000, () => 1)).toBe(BACK_OFF_MAX_MILLIS);
    expect(backOffMillis(0, () => 0)).toBe(250);
  });
});
