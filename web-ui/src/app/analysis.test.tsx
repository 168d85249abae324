import { screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, test } from 'vitest';
import type { Finding } from '#client';
import { FINDINGS_SUMMARIZED } from '@/lib/api/list-findings';
import { renderApp } from '@/test/render-app';
import { api, server } from '@/test/server';

const shadowed: Finding = {
  severity: 'WARNING',
  rule: 'route-shadowed',
  kind: 'ROUTE',
  id: 'shop-api',
  pointer: '/path',
  detail: 'An earlier route takes all requests of /api/*: "all".',
  others: [{ kind: 'ROUTE', id: 'all' }],
};

test('findings name the resource, the reason and the other one, and are asked for by severity', async () => {
  const asked: (string | null)[] = [];
  server.use(
    http.get(api('analysis'), ({ request }) => {
      const query = new URL(request.url).searchParams;
      const severity = query.get('severity');
      // The header asks for a summary, too.
      if (query.get('limit') !== String(FINDINGS_SUMMARIZED)) {
        asked.push(severity);
      }
      const items = severity === 'ERROR' ? [] : [shadowed];
      return HttpResponse.json({ revision: 7, errors: 0, warnings: 1, infos: 0, items });
    }),
  );
  const user = renderApp('/analysis');
  expect(await screen.findByText(shadowed.detail)).toBeVisible();
  expect(screen.getByRole('link', { name: 'shop-api' })).toHaveAttribute('href', '/routes/shop-api');
  expect(screen.getByRole('link', { name: 'all' })).toBeVisible();
  await user.click(screen.getByRole('radio', { name: 'Errors (0)' }));
  expect(await screen.findByText('No errors')).toBeVisible();
  expect(screen.queryByText('No findings')).not.toBeInTheDocument();
  expect(asked).toEqual([null, 'ERROR']);
  await user.click(screen.getByRole('button', { name: 'Show all findings' }));
  expect(await screen.findByText(shadowed.detail)).toBeVisible();
});

test('the page of a resource says what is odd about it', async () => {
  server.use(
    http.get(api('analysis'), ({ request }) => {
      const query = new URL(request.url).searchParams;
      const items =
        query.get('kind') === 'UPSTREAM' && query.get('id') === 'shop-nodes'
          ? [
              {
                ...shadowed,
                kind: 'UPSTREAM',
                id: 'shop-nodes',
                detail: 'No proxy pass names it.',
                others: [],
              },
            ]
          : [];
      return HttpResponse.json({ revision: 7, errors: 0, warnings: 1, infos: 0, items });
    }),
  );
  renderApp('/upstreams/shop-nodes');
  expect(await screen.findByText('No proxy pass names it.')).toBeVisible();
});
