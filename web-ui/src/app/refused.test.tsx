import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { culpritOf } from '@/components/refused-banner';
import { renderApp } from '@/test/render-app';
import { api, gateway, server } from '@/test/server';

function refusing(waived?: boolean) {
  server.use(
    http.get(api('gateways'), () =>
      HttpResponse.json({
        items: [
          {
            ...gateway,
            revision: 6,
            state: 'REFUSED',
            waived,
            refusal: { revision: 7, pointer: '/proxyPasses/to-shop/plugins/jwt', message: 'no such file' },
          },
        ],
      }),
    ),
    http.get(api('revisions'), () =>
      HttpResponse.json({
        items: [
          {
            number: 7,
            committedAt: '2026-01-02T03:04:05Z',
            author: 'ann',
            changes: 1,
            stateHash: 'a'.repeat(64),
          },
        ],
      }),
    ),
  );
}

describe('a revision that gateways refuse', () => {
  it('is told on every page, with the resource and the place', async () => {
    refusing();
    renderApp('/gateways');
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Gateway gw-1 refuses revision 7: no such file');
    expect(alert).toHaveTextContent('Sigma refuses other changes until this is fixed.');
    expect(within(alert).getByRole('link', { name: 'to-shop' })).toHaveAttribute(
      'href',
      '/proxy-passes/to-shop',
    );
    expect(within(alert).getByText('/proxyPasses/to-shop/plugins/jwt')).toBeVisible();
  });

  it('holds up nobody once the gateway is waived', async () => {
    refusing(true);
    renderApp('/gateways');
    expect(await screen.findByRole('alert')).toHaveTextContent('Writes do not wait for these gateways.');
  });

  it('leads to no resource where the place is none', () => {
    expect(culpritOf('/proxyServers')).toBeUndefined();
    expect(culpritOf('')).toBeUndefined();
    expect(culpritOf('/proxyServers/web/port')).toEqual({ kind: 'proxy-servers', id: 'web' });
  });
});
