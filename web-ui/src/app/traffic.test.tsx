import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import type { TrafficFigures } from '#client';
import { filled } from '@/lib/api/get-traffic';
import { renderApp } from '@/test/render-app';
import { api, problem, server } from '@/test/server';

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
    expect(await screen.findByRole('heading', { name: 'Nothing came' })).toBeVisible();
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
    filled(series.points, from, from + 20_000, 5_000).map(({ figures: { requests } }) => requests),
  ).toEqual([0, 100, 0, 0]);
  expect(filled([], 0, 1e12, 5_000)).toHaveLength(2_000);
});
