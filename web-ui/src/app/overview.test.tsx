import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { noTraffic } from '@/lib/api/get-traffic';
import { renderApp } from '@/test/render-app';
import { api, gateway, problem, revision, server } from '@/test/server';

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
    expect(screen.getByText('Requests per second')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Nothing needs attention' })).toBeVisible();
    expect(screen.getAllByText('1 of 1')).toHaveLength(2);
  });

  it('does not say so while something cannot be asked', async () => {
    server.use(http.get(api('analysis'), () => problem(503, 'Unavailable', { detail: 'No database.' })));
    renderApp('/');
    expect(await screen.findByText(/^Unknown: findings\./, undefined, { timeout: 10_000 })).toBeVisible();
    expect(screen.queryByText(/^Nothing\./)).toBeNull();
    expect(
      screen.getByRole('link', { name: 'It is not known whether anything needs attention' }),
    ).toBeVisible();
  }, 20_000);

  it('says what a revision without a message changed', async () => {
    server.use(
      http.get(api('revisions'), () =>
        HttpResponse.json({ items: [{ ...revision, message: undefined, changes: 2 }] }),
      ),
      http.get(api('revisions/:number'), () =>
        HttpResponse.json({
          ...revision,
          changes: [
            { kind: 'ROUTE', id: 'cart', action: 'UPDATE' },
            { kind: 'UPSTREAM', id: 'old', action: 'DELETE' },
          ],
          changesTotal: 2,
          truncated: false,
        }),
      ),
    );
    renderApp('/');
    expect(await screen.findByText('Changed route cart · Deleted upstream old')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Find the route of a URL or path' })).toHaveAttribute(
      'href',
      '/route-test',
    );
  });

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
          warnings: 3,
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
            {
              severity: 'WARNING',
              rule: 'unused',
              kind: 'ROUTE',
              id: 'old',
              pointer: '',
              detail: 'Nobody asks.',
            },
          ],
        }),
      ),
      http.get(api('node-health'), () =>
        HttpResponse.json({
          nodes: [
            { upstreamId: 'cart', url: 'http://10.0.0.2', state: 'EJECTED', disagreement: false },
            { upstreamId: 'cart', url: 'http://10.0.0.3', state: 'UNHEALTHY', disagreement: false },
          ],
          truncated: false,
        }),
      ),
      http.get(api('traffic/top'), () =>
        HttpResponse.json({
          items: [
            { id: 'cart', figures: { ...noTraffic, requests: 200, status5xx: 20, unanswered: 4 } },
            { id: 'rare', figures: { ...noTraffic, requests: 1, status5xx: 1 } },
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
      'Upstream cart: node http://10.0.0.3 is unhealthy',
      'Route cart: 12 % of 200 requests failed in the last 5 minutes',
      'Route rare: its only request in the last 5 minutes failed',
      'Certificate shop: It ended yesterday.',
      'Gateway gw-1 serves an older revision',
      'Upstream cart: node http://10.0.0.2 is ejected, because its requests failed',
      'Route old: Nobody asks.',
      '2 more warnings in the configuration',
    ]);
    const leadsTo = (name: RegExp) => screen.getByRole('link', { name }).getAttribute('href');
    expect(leadsTo(/^Certificate shop/)).toBe('/certificates/shop');
    expect(leadsTo(/10\.0\.0\.3 is unhealthy$/)).toBe('/upstreams/cart/health');
    expect(leadsTo(/^2 more warnings/)).toBe('/analysis?severity=WARNING');
    expect(screen.getByRole('link', { name: '9 things need attention' })).toHaveTextContent('9');
    await user.click(screen.getByRole('link', { name: /^Route cart/ }));
    expect(window.location.pathname).toBe('/traffic');
    expect(new URLSearchParams(window.location.search).get('id')).toBe('cart');
  });

  it('keeps failures that are over apart from what is wrong now', async () => {
    const failed = { ...noTraffic, requests: 200, status5xx: 20, unanswered: 4 };
    server.use(
      http.get(api('traffic/top'), ({ request }) => {
        const from = Date.parse(new URL(request.url).searchParams.get('from') ?? '');
        const hour = Date.now() - from > 3_000_000;
        return HttpResponse.json({
          items: [...(hour ? [{ id: 'cart', figures: failed }] : []), { id: 'rare', figures: failed }],
        });
      }),
    );
    renderApp('/');
    const past = within(await screen.findByRole('list', { name: 'No longer failing' }));
    expect((await past.findAllByRole('listitem')).map(({ textContent }) => textContent)).toEqual([
      'Route cart: 12 % of 200 requests failed in the last hour',
    ]);
    expect(
      screen.getByRole('link', { name: 'Route rare: 12 % of 200 requests failed in the last 5 minutes' }),
    ).toBeVisible();
    expect(screen.getByRole('link', { name: '1 thing needs attention' })).toBeVisible();
  });

  it('is green again when the failures are over', async () => {
    server.use(
      http.get(api('traffic/top'), ({ request }) => {
        const from = Date.parse(new URL(request.url).searchParams.get('from') ?? '');
        const figures = { ...noTraffic, requests: 2, unanswered: 2 };
        return HttpResponse.json({ items: Date.now() - from > 3_000_000 ? [{ id: 'cart', figures }] : [] });
      }),
    );
    renderApp('/');
    expect(await screen.findByRole('list', { name: 'No longer failing' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Nothing needs attention' })).toBeVisible();
    expect(screen.getByText(/^No problem\. One gateway/)).toBeVisible();
  });
});
