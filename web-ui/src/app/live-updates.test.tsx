import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { afterEach, describe, expect, it } from 'vitest';
import { withGateway } from '@/app/live-updates';
import { BACK_OFF_MAX_MILLIS, backOffMillis } from '@/lib/back-off';
import { renderApp } from '@/test/render-app';
import { api, eventStream, gateway, revision, server, TOKEN } from '@/test/server';

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

describe('what gateways say to a revision', () => {
  const diff = { from: 6, to: 7, truncated: false, changes: [] };

  it('is asked for when the stream tells of an answer, and not by and by', async () => {
    const send = eventStream();
    let asked = 0;
    server.use(
      http.get(api('revisions/7'), () => HttpResponse.json({ ...revision, resources: [] })),
      http.get(api('revisions/:number/diff/:other'), () => HttpResponse.json(diff)),
      http.get(api('revisions/7/acks'), () => {
        asked++;
        const answer = asked === 1 ? 'PENDING' : 'ACK';
        return HttpResponse.json({
          number: 7,
          acknowledged: asked === 1 ? 0 : 1,
          refused: 0,
          pending: asked === 1 ? 1 : 0,
          gateways: [{ gatewayId: 'gw-1', answer, live: true, lag: 0, answerRevision: 7, millis: 12 }],
        });
      }),
    );
    renderApp('/revisions/7');
    expect(await screen.findByText('1 without an answer', { exact: false })).toBeVisible();
    expect(await screen.findByText('Live')).toBeVisible();
    // Longer than the pace at which it is asked for without the stream.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(asked).toBe(1);

    send('ack', { gatewayId: 'gw-1', answer: 'ACK', revision: 7, millis: 12 });
    expect(await screen.findByText('1 acknowledged')).toBeVisible();
    expect(asked).toBe(2);
  });

  it('is asked for by and by while there is no stream', async () => {
    let asked = 0;
    server.use(
      http.get(api('events'), () => new HttpResponse(null, { status: 503 })),
      http.get(api('revisions/7'), () => HttpResponse.json({ ...revision, resources: [] })),
      http.get(api('revisions/:number/diff/:other'), () => HttpResponse.json(diff)),
      http.get(api('revisions/7/acks'), () => {
        asked++;
        const gone = { acknowledged: 0, refused: 0, pending: 1 };
        const pending = { gatewayId: 'gw-1', answer: 'PENDING', live: true, lag: 1 };
        return HttpResponse.json({
          number: 7,
          ...(asked === 1 ? gone : { ...gone, acknowledged: 1, pending: 0 }),
          gateways: [asked === 1 ? pending : { ...pending, answer: 'ACK', lag: 0, millis: 12 }],
        });
      }),
    );
    renderApp('/revisions/7');
    expect(await screen.findByText('1 acknowledged')).toBeVisible();
    expect(asked).toBe(2);
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

describe('a page that nobody sees', () => {
  afterEach(() => {
    Reflect.deleteProperty(document, 'hidden');
  });

  it('holds no stream, and goes on where it was when it is seen again', async () => {
    let hidden = false;
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    const show = (visible: boolean) => {
      hidden = !visible;
      document.dispatchEvent(new Event('visibilitychange'));
    };
    const asked: (string | null)[] = [];
    let ended = 0;
    server.use(
      http.get(api('events'), ({ request }) => {
        asked.push(request.headers.get('Last-Event-ID'));
        request.signal.addEventListener('abort', () => ended++);
        const body = new ReadableStream<Uint8Array>({
          start: (controller) =>
            controller.enqueue(new TextEncoder().encode('id: 17-1\nevent: ready\ndata: {}\n\n')),
          cancel: () => {
            ended++;
          },
        });
        return new HttpResponse(body, { headers: { 'Content-Type': 'text/event-stream' } });
      }),
    );
    renderApp('/gateways');
    expect(await screen.findByText('Live')).toBeVisible();
    await new Promise((resolve) => setTimeout(resolve, 200));
    show(false);
    expect(await screen.findByText('No live updates')).toBeVisible();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(asked).toEqual([null]);
    expect(ended).toBeGreaterThan(0);
    show(true);
    expect(await screen.findByText('Live')).toBeVisible();
    expect(asked).toEqual([null, '17-1']);
  });
});

describe('a revision that is read before its event comes', () => {
  it('refreshes the lists all the same', async () => {
    const send = eventStream();
    let head = 7;
    let listed = 0;
    server.use(
      http.get(api('revisions'), () => HttpResponse.json({ items: [{ ...revision, number: head }] })),
      http.get(api('upstreams'), () => {
        listed++;
        return HttpResponse.json({ items: [] });
      }),
    );
    const user = renderApp('/');
    expect(await screen.findByText('Live')).toBeVisible();
    send('revision', revision);
    await user.click(screen.getByRole('link', { name: 'Upstreams' }));
    await screen.findByRole('heading', { name: 'Upstreams' });
    await expect.poll(() => listed).toBeGreaterThan(0);
    head = 8;
    document.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(new Event('visibilitychange'));
    await user.click(screen.getByRole('link', { name: 'Revisions' }));
    expect(await screen.findByRole('link', { name: 'Revision 8' }, { timeout: 15_000 })).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Upstreams' }));
    const before = listed;
    send('revision', { ...revision, number: 8 });
    await expect.poll(() => listed, { timeout: 5_000 }).toBeGreaterThan(before);
  });
});

describe('withGateway', () => {
  it('replaces a gateway that is known and keeps the order of ids', () => {
    const known = [gateway, { ...gateway, id: 'gw-3' }];
    const second = { ...gateway, id: 'gw-2' };
    expect(withGateway(known, second).map(({ id }) => id)).toEqual(['gw-1', 'gw-2', 'gw-3']);
    expect(withGateway(known, { ...gateway, lag: 4 }).map(({ lag }) => lag)).toEqual([4, 0]);
    expect(withGateway([], gateway)).toEqual([gateway]);
    expect(withGateway(known, { ...gateway, id: 'gw-9' }).map(({ id }) => id)).toEqual([
      'gw-1',
      'gw-3',
      'gw-9',
    ]);
  });

  it('looks at few of many gateways', () => {
    let looks = 0;
    const known = Array.from({ length: 4096 }, (_, number) => ({
      ...gateway,
      get id() {
        looks++;
        return `gw-${String(number).padStart(4, '0')}`;
      },
    }));
    expect(withGateway(known, { ...gateway, id: 'gw-2000x' })).toHaveLength(4097);
    expect(looks).toBeLessThan(40);
  });
});

describe('backOffMillis', () => {
  it('doubles, stays under its bound, and is spread over its upper half', () => {
    expect([0, 1, 2].map((failures) => backOffMillis(failures, () => 1))).toEqual([500, 1000, 2000]);
    expect(backOffMillis(1000, () => 1)).toBe(BACK_OFF_MAX_MILLIS);
    expect(backOffMillis(0, () => 0)).toBe(250);
  });
});
