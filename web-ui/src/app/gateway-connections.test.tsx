import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { GatewayConnection } from '#client';
import { renderApp } from '@/test/render-app';
import { api, problem, server } from '@/test/server';

function connection(id: string, port: number): GatewayConnection {
  return {
    id,
    protocol: 'TCP',
    proxyServerId: 'databases',
    routerId: 'orders',
    upstreamId: 'orders',
    node: 'http://10.0.0.1:5432',
    clientAddress: '203.0.113.9',
    clientPort: port,
    startedAt: '2026-01-02T03:04:05Z',
    revision: 17,
    bytesIn: 2048,
    bytesOut: 5,
  };
}

let open: GatewayConnection[];
let asked: string[];

beforeEach(() => {
  open = [connection('0-a', 1001), connection('1-b', 1002)];
  asked = [];
  server.use(
    http.get(api('gateways/:id/connections'), ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json({ items: open, matching: open.length });
    }),
    http.delete(api('gateways/:id/connections/:connection'), ({ params }) => {
      asked.push(`close ${String(params.id)} ${String(params.connection)}`);
      open = open.filter(({ id }) => id !== params.connection);
      return new HttpResponse(null, { status: 204 });
    }),
  );
});

describe('the connections of a gateway', () => {
  it('are shown with their bytes, their node and their revision', async () => {
    const user = renderApp('/gateways', { role: 'VIEWER' });
    await user.click(await screen.findByRole('link', { name: 'Connections of gw-1' }));
    const row = await screen.findByRole('row', { name: /203\.0\.113\.9:1001/ });
    expect(row).toHaveTextContent('databases');
    expect(row).toHaveTextContent('http://10.0.0.1:5432');
    expect(row).toHaveTextContent('2 KiB');
    expect(row).toHaveTextContent('17');
    expect(within(row).queryByRole('button', { name: /Close/ })).not.toBeInTheDocument();
  });

  it('are narrowed by what the address of the page says', async () => {
    open = [];
    const user = renderApp('/gateways/gw-1/connections?clientAddress=10.0.0.0%2F8&protocol=TLS', {
      role: 'VIEWER',
    });
    await screen.findByText('No connection matches');
    expect(asked[0]).toBe('?clientAddress=10.0.0.0%2F8&protocol=TLS');
    await user.click(screen.getByRole('button', { name: 'Clear the filters' }));
    await screen.findByText('No open connections');
  });

  it('are closed by an editor after a question', async () => {
    const user = renderApp('/gateways/gw-1/connections', { role: 'EDITOR' });
    await user.click(await screen.findByRole('button', { name: 'Close 203.0.113.9:1002' }));
    const dialog = await screen.findByRole('dialog', { name: 'Close the connection of 203.0.113.9:1002?' });
    await user.click(within(dialog).getByRole('button', { name: 'Close connection' }));
    await waitFor(() => expect(asked).toContain('close gw-1 1-b'));
    await waitFor(() => expect(screen.queryByText('203.0.113.9:1002')).not.toBeInTheDocument());
    expect(screen.getByText('203.0.113.9:1001')).toBeVisible();
  });

  it('cannot be shown while the gateway does not answer', async () => {
    server.use(
      http.get(api('gateways/:id/connections'), () =>
        problem(503, 'Unavailable', {
          type: 'urn:sigma:problem:unavailable',
          detail: 'Gateway "gw-1" does not answer.',
        }),
      ),
    );
    renderApp('/gateways/gw-1/connections', { role: 'VIEWER' });
    expect(await screen.findByText(/does not answer/)).toBeVisible();
  });
});
