import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { renderApp } from '@/test/render-app';
import { api, server, shopHealth } from '@/test/server';

describe('the health of an upstream', () => {
  it('is shown with each gateway and its reason', async () => {
    renderApp('/upstreams/shop-nodes');
    const health = await screen.findByRole('region', { name: 'Health of the nodes' });
    const row = await within(health).findByRole('row', { name: /10\.0\.0\.1/ });
    expect(within(row).getByText('Healthy')).toBeVisible();
    expect(within(row).getByText(/passed its first check/)).toBeVisible();
  });

  it('says when gateways differ', async () => {
    const [node] = shopHealth.nodes ?? [];
    server.use(
      http.get(api('upstreams/shop-nodes/health'), () =>
        HttpResponse.json({
          ...shopHealth,
          disagreement: true,
          nodes: [
            {
              ...node,
              state: 'UNHEALTHY',
              disagreement: true,
              gateways: [
                ...(node?.gateways ?? []),
                {
                  gatewayId: 'gw-2',
                  state: 'UNHEALTHY',
                  since: '2026-01-02T03:04:05Z',
                  reason: 'failed 3 checks in a row: status 500',
                },
              ],
            },
          ],
        }),
      ),
    );
    renderApp('/upstreams/shop-nodes');
    const health = await screen.findByRole('region', { name: 'Health of the nodes' });
    expect(await within(health).findByText('Gateways differ')).toBeVisible();
    expect(within(health).getByText(/status 500/)).toBeVisible();
    expect(within(health).getAllByText('Unhealthy')).toHaveLength(2);
  });

  it('is a column of the list', async () => {
    renderApp('/upstreams');
    expect(await screen.findByText('1 of 1')).toBeVisible();
  });
});
