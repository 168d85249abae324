import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { noTraffic } from '@/lib/api/get-traffic';
import { renderApp } from '@/test/render-app';
import { api, gateway, problem, server } from '@/test/server';

const attention = async () =>
  within(await screen.findByRole('region', { name: 'Needs attention' })).findAllByRole('listitem');

describe('the overview', () => {
  beforeEach(() => {
    // Something of every kind, so that the first steps are done.
    for (const kind of ['proxy-servers', 'routers', 'routes', 'proxy-passes']) {
      server.use(http.get(api(kind), () => HttpResponse.json({ items: [{ id: 'one' }] })));
    }
  });

  it('says that nothing is wrong only when everything was asked', async () => {
    renderApp('/');
    expect(
      await screen.findByText('No problem. One gateway serves the newest revision, and no route fails.'),
    ).toBeVisible();
    expect(screen.getByText('Requests a second')).toBeVisible();
    expect(screen.getAllByText('1 of 1')).toHaveLength(2);
  });

  it('does not say so while something cannot be asked', async () => {
    server.use(http.get(api('analysis'), () => problem(503, 'Unavailable', { detail: 'No database.' })));
    renderApp('/');
    expect(await screen.findByText(/^Unknown: findings\./, undefined, { timeout: 10_000 })).toBeVisible();
    expect(screen.queryByText(/^Nothing\./)).toBeNull();
  }, 20_000);

  it('names what is wrong, the grave first, and leads to where one acts', async () => {
    server.use(
      http.get(api('gateways'), () =>
        HttpResponse.json({
          items: [
            { ...gateway, id: 'gw-1', state: 'BEHIND', lag: 1 },
            { ...gateway, id: 'gw-2', state: 'LOST' },
            { ...gateway, id: 'gw-3', state: 'LOST' },
          ],
        }),
      ),
      http.get(api('analysis'), () =>
        HttpResponse.json({
          revision: 7,
          errors: 1,
          warnings: 0,
          infos: 4,
          items: [
            {
              severity: 'ERROR',
              rule: 'certificate-expired',
              kind: 'CERTIFICATE',
              id: 'shop',
              pointer: '/chain',
              detail: 'It ended yesterday.',
            },
          ],
        }),
      ),
      http.get(api('traffic/top'), () =>
        HttpResponse.json({
          items: [
            { id: 'cart', figures: { ...noTraffic, requests: 200, status5xx: 20, unanswered: 4 } },
            { id: 'fine', figures: { ...noTraffic, requests: 10_000, status5xx: 1 } },
          ],
        }),
      ),
    );
    const user = renderApp('/');
    await screen.findByRole('link', { name: /^Route cart/ });
    const texts = (await attention()).map(({ textContent }) => textContent);
    expect(texts).toEqual([
      'Gateways gw-2, gw-3 have not reported for a while',
      '1 error in the configuration, of certificate shop: It ended yesterday.',
      'Route cart: 12 % of 200 requests failed in the last hour',
      'Gateway gw-1 serves an older revision',
    ]);
    expect(screen.getByRole('link', { name: /^1 error/ })).toHaveAttribute(
      'href',
      '/analysis?severity=ERROR',
    );
    await user.click(screen.getByRole('link', { name: /^Route cart/ }));
    expect(window.location.pathname).toBe('/traffic');
    expect(new URLSearchParams(window.location.search).get('id')).toBe('cart');
  });
});
