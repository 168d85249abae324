import { fireEvent, screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { noTraffic } from '@/lib/api/get-traffic';
import { renderApp } from '@/test/render-app';
import { api, revision, server } from '@/test/server';

const BEGIN = Date.parse('2026-01-02T03:00:00Z');
const WIDTH = 119;

/** Ten minutes of 120 slots. The second half fails. */
beforeEach(() => {
  const points = Array.from({ length: 120 }, (_, i) => ({
    at: new Date(BEGIN + i * 5_000).toISOString(),
    figures: { ...noTraffic, requests: 10 + i, perSecond: (10 + i) / 5, status5xx: i < 60 ? 0 : 10 + i },
  }));
  server.use(
    http.get(api('revisions'), () =>
      HttpResponse.json({ items: [{ ...revision, committedAt: '2026-01-02T03:05:00Z' }] }),
    ),
    http.get(api('traffic'), () =>
      HttpResponse.json({
        from: points[0]?.at,
        to: '2026-01-02T03:10:00Z',
        resolutionSeconds: 5,
        total: { ...noTraffic, requests: 8_000 },
        points,
        gaps: [],
      }),
    ),
  );
  Element.prototype.setPointerCapture = vi.fn();
});

describe('the charts of traffic', () => {
  it('show a part of the time that is drawn over one of them, and all again', async () => {
    const user = renderApp('/traffic');
    const chart = await screen.findByRole('img', { name: /^Rate: / });
    expect(chart).toHaveAccessibleName('Rate: requests up to 25.8/s');
    chart.getBoundingClientRect = () => ({ left: 0, width: WIDTH }) as DOMRect;
    for (const [type, clientX] of [
      ['pointerdown', 10],
      ['pointermove', 30],
      ['pointerup', 30],
    ] as const) {
      // The browser of these tests has no events of pointers.
      fireEvent(chart, new MouseEvent(type, { bubbles: true, clientX, button: 0 }));
    }
    expect(chart).toHaveAccessibleName('Rate: requests up to 8/s');
    // The others show the same part: nothing failed in it.
    expect(screen.getByRole('img', { name: /^Status classes: .*5xx up to 0\/s/ })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show the whole span' }));
    expect(chart).toHaveAccessibleName('Rate: requests up to 25.8/s');
    await user.click(screen.getByRole('radio', { name: 'Last 5 min' }));
    expect(screen.getByRole('img', { name: /^Status classes: .*5xx up to 25.8\/s/ })).toBeVisible();
  });

  it('leave out what the legend switches off', async () => {
    const user = renderApp('/traffic');
    const button = await screen.findByRole('button', { name: '5xx' });
    await user.click(button);
    expect(button).toHaveAttribute('aria-pressed', 'false');
    const chart = screen.getByRole('img', { name: /^Status classes: / });
    expect(chart).not.toHaveAccessibleName(/5xx/);
    await user.click(button);
    expect(chart).toHaveAccessibleName(/5xx up to/);
  });

  it('say what came before and after a revision', async () => {
    const user = renderApp('/traffic');
    const effect = within(await screen.findByRole('group', { name: 'Before and after a revision' }));
    await user.click(effect.getByRole('combobox', { name: 'Before and after revision' }));
    await user.click(await screen.findByRole('option', { name: '7: A third node' }));
    expect(effect.getByRole('row', { name: 'Before 7.9/s 0 % 0 ms' })).toBeVisible();
    expect(effect.getByRole('row', { name: 'After 19.9/s 100 % 0 ms' })).toBeVisible();
    expect(effect.getByRole('link', { name: 'See what changed' })).toHaveAttribute('href', '/revisions/7');
  });
});
