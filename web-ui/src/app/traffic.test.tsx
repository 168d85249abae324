import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import type { TrafficFigures } from '#client';
import { areaBetween, lineThrough } from '@/components/time-chart';
import { filled, withPoint } from '@/lib/api/get-traffic';
import { bytesCeilingOf, percent } from '@/lib/figures';
import { renderApp } from '@/test/render-app';
import { api, eventStream, problem, server } from '@/test/server';

const figures: TrafficFigures = {
  requests: 100,
  perSecond: 20,
  unanswered: 1,
  status1xx: 0,
  status2xx: 90,
  status3xx: 0,
  status4xx: 5,
  status5xx: 4,
  bytesIn: 0,
  bytesOut: 5 * 1024 * 1024,
  p50Millis: 8.96,
  p95Millis: 100.352,
  p99Millis: 124.928,
};
const series = {
  from: '2026-01-02T03:00:00Z',
  to: '2026-01-02T03:00:20Z',
  resolutionSeconds: 5,
  total: figures,
  points: [{ at: '2026-01-02T03:00:05Z', figures }],
  gaps: [{ from: '2026-01-02T03:00:10Z', to: '2026-01-02T03:00:15Z' }],
};

function answering(asked: URLSearchParams[] = [], answer: object = series) {
  server.use(
    http.get(api('traffic'), ({ request }) => {
      asked.push(new URL(request.url).searchParams);
      return HttpResponse.json(answer);
    }),
    http.get(api('traffic/top'), () =>
      HttpResponse.json({ from: series.from, to: series.to, items: [{ id: 'shop-api', figures }] }),
    ),
  );
}

describe('traffic', () => {
  it('is drawn, and beneath it stands in figures', async () => {
    answering();
    renderApp('/traffic', { role: 'VIEWER' });
    expect(await screen.findByRole('img', { name: 'Rate: requests up to 20/s' })).toBeVisible();
    expect(
      screen.getByRole('img', { name: /^Status classes: 2xx up to 18\/s.* 5xx up to 0.8\/s/ }),
    ).toBeVisible();
    expect(
      screen.getByRole('img', { name: /^Duration: p50 up to 8.96 ms.* p99 up to 125 ms/ }),
    ).toBeVisible();
    expect(screen.getByRole('img', { name: 'Bytes: in up to 0 B/s, out up to 1 MiB/s' })).toBeVisible();
    const rows = within(screen.getByRole('table', { name: 'Traffic by time' })).getAllByRole('row');
    expect(rows).toHaveLength(2);
    expect(rows[1]).toHaveTextContent('100209005418.96 ms100 ms125 ms0 B5 MiB');
  });

  it('is summed up at a glance', async () => {
    answering();
    renderApp('/traffic');
    const failed = (await screen.findByText('Failed', { selector: 'dt' })).parentElement;
    expect(failed).toHaveTextContent('Failed5 %4 answered 5xx, 1 without an answer');
    expect(screen.getByText('99 % were faster').parentElement).toHaveTextContent('125 ms');
    expect(screen.getByText('0 B in; bodies only').parentElement).toHaveTextContent('5 MiB');
  });

  it('moves on by what the event stream tells, without asking again', async () => {
    const send = eventStream();
    const asked: URLSearchParams[] = [];
    answering(asked);
    renderApp('/traffic');
    expect(await screen.findByRole('img', { name: 'Rate: requests up to 20/s' })).toBeVisible();
    expect(await screen.findByText('Live')).toBeVisible();
    send('rates', { at: '2026-01-02T03:00:20Z', figures: { ...figures, requests: 400, perSecond: 80 } });
    expect(await screen.findByRole('img', { name: 'Rate: requests up to 80/s' })).toBeVisible();
    expect(screen.getByText('Requests', { selector: 'dt' }).parentElement).toHaveTextContent('500');
    expect(asked).toHaveLength(1);
  });

  it('lists first what has the most failures when that is asked for', async () => {
    const by: (string | null)[] = [];
    answering();
    server.use(
      http.get(api('traffic/top'), ({ request }) => {
        const asked = new URL(request.url).searchParams;
        // The header of each page asks for the few that fail most.
        if (asked.get('limit') !== '5') {
          by.push(asked.get('by'));
        }
        return HttpResponse.json({ from: series.from, to: series.to, items: [{ id: 'shop-api', figures }] });
      }),
    );
    const user = renderApp('/traffic');
    await screen.findByRole('table', { name: 'Busiest routes' });
    await user.click(screen.getByRole('radio', { name: 'Failures' }));
    const table = await screen.findByRole('table', { name: 'Routes with the most failures' });
    expect(within(table).getByRole('row', { name: /shop-api/ })).toHaveTextContent('shop-api5 %100');
    expect(by).toEqual(['requests', 'failures']);
    expect(window.location.search).toContain('by=failures');
  });

  it('is that of one route over a day when the address says so', async () => {
    const asked: URLSearchParams[] = [];
    answering(asked);
    renderApp('/traffic?kind=route&id=shop-api&span=day');
    expect(await screen.findByRole('table', { name: 'Traffic by time' })).toBeVisible();
    expect(asked[0]?.get('route')).toBe('shop-api');
    expect(asked[0]?.get('resolution')).toBe('1m');
    const hours = (Date.now() - Date.parse(asked[0]?.get('from') ?? '')) / 3_600_000;
    expect(hours).toBeCloseTo(24, 0);
  });

  it('leads from the busiest to each of them', async () => {
    const asked: URLSearchParams[] = [];
    answering(asked);
    const user = renderApp('/traffic');
    const busiest = await screen.findByRole('table', { name: 'Busiest routes' });
    await user.click(within(busiest).getByRole('link', { name: 'shop-api' }));
    expect(await screen.findByRole('combobox', { name: 'Route' })).toHaveValue('shop-api');
    expect(asked.at(-1)?.get('route')).toBe('shop-api');
  });

  it('says so when nothing came', async () => {
    answering([], { ...series, total: { ...figures, requests: 0 }, points: [] });
    renderApp('/traffic');
    expect(await screen.findByRole('heading', { name: 'No traffic' })).toBeVisible();
  });

  it('shows the problem when it can not be loaded', async () => {
    answering();
    server.use(http.get(api('traffic'), () => problem(400, 'Bad Request', { detail: 'from is too early' })));
    renderApp('/traffic');
    expect(await screen.findByText('from is too early')).toBeVisible();
  });
});

it('has a slot for each step of its span, and no more than can be drawn', () => {
  const from = Date.parse(series.from);
  expect(
    filled([{ at: from + 5_000, figures }], from, from + 20_000, 5_000).map(
      ({ figures: known }) => known?.requests,
    ),
  ).toEqual([0, 100, 0, 0]);
  const gaps = [{ from: from + 10_000, to: from + 15_000 }];
  expect(
    filled([{ at: from + 5_000, figures }], from, from + 20_000, 5_000, gaps).map(
      ({ figures: known }) => known?.requests,
    ),
  ).toEqual([0, 100, undefined, 0]);
  expect(filled([], 0, 1e12, 5_000)).toHaveLength(2_000);
});

describe('a span that moves on', () => {
  const slots = filled([{ at: 5_000, figures }], 0, 20_000, 5_000);
  const loaded = { slotSeconds: 5, slots, total: { ...figures, p99Millis: 7 } };
  const later = (at: number) => ({ at: new Date(at).toISOString(), figures });

  it('keeps its length, loses what is too old, and sums up what is left', () => {
    const moved = withPoint(loaded, later(25_000));
    expect(moved.slots.map(({ at, figures: known }) => [at, known?.requests])).toEqual([
      [10_000, 0],
      [15_000, 0],
      [20_000, undefined],
      [25_000, 100],
    ]);
    // Over the time that was reported: nobody knows what came in the slot before.
    expect(moved.total.perSecond).toBeCloseTo(100 / 15);
    expect(moved.total).toMatchObject({ requests: 100, status5xx: 4, p99Millis: 7 });
  });

  it('takes what was told again in place of what it has', () => {
    const moved = withPoint(loaded, later(5_000));
    expect(moved.slots).toEqual(slots);
    expect(moved.total.requests).toBe(100);
  });

  it('takes the percentiles of the first requests that come', () => {
    const nothing = { ...loaded, total: { ...figures, requests: 0, p99Millis: 0 } };
    expect(withPoint(nothing, later(20_000)).total.p99Millis).toBe(figures.p99Millis);
  });
});

it('draws no line where there is no value, and a dot where there is one alone', () => {
  expect(lineThrough([1, 2, undefined, 3, undefined], (value) => value)).toBe('M0,1h0L1,2M3,3h0');
  expect(areaBetween([1, 2, undefined, 3], [0, 1, undefined, 1], (value) => value)).toBe(
    'M0,1L1,2L1,1L0,0ZM3,3L3,1Z',
  );
});

it('ends an axis of bytes at a round number of the unit that is shown', () => {
  expect([0, 700, 3_000, 1_000_000].map(bytesCeilingOf)).toEqual([1, 1000, 5 * 1024, 1000 * 1024]);
  expect(bytesCeilingOf(1_020 * 1024)).toBe(1024 * 1024);
});

it('says of a small share that there is one', () => {
  expect([percent(0, 0), percent(1, 3), percent(1, 1e6)]).toEqual(['0 %', '33.3 %', '< 0.01 %']);
});
