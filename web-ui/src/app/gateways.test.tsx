import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { GatewayRevocation, GatewayWaiver } from '#client';
import { renderApp } from '@/test/render-app';
import { api, gateway, problem, server } from '@/test/server';

const stolen: GatewayRevocation = {
  gatewayId: 'gw-0',
  revokedAt: '2026-01-02T03:04:05Z',
  revokedBy: 'anna',
  reason: 'stolen from the rack',
};
let revoked: GatewayRevocation[];
let asked: string[];

beforeEach(() => {
  revoked = [stolen];
  asked = [];
  server.use(
    http.get(api('gateway-revocations'), () => {
      asked.push('list');
      return HttpResponse.json({ items: revoked });
    }),
    http.put(api('gateways/:id/revocation'), ({ params, request }) => {
      const reason = new URL(request.url).searchParams.get('reason') ?? undefined;
      asked.push(`revoke ${String(params.id)} ${reason ?? ''}`);
      const revocation = { ...stolen, gatewayId: String(params.id), reason };
      revoked = [...revoked, revocation];
      return HttpResponse.json(revocation);
    }),
    http.delete(api('gateways/:id/revocation'), ({ params }) => {
      asked.push(`readmit ${String(params.id)}`);
      revoked = revoked.filter(({ gatewayId }) => gatewayId !== params.id);
      return new HttpResponse(null, { status: 204 });
    }),
  );
});

describe('revoking a gateway', () => {
  it('says who was revoked by whom, why and when', async () => {
    renderApp('/gateways', { role: 'ADMIN' });
    const row = await screen.findByRole('row', { name: /gw-0/ });
    expect(row).toHaveTextContent(/Revoked\s*by anna, .* ago: stolen from the rack/);
    expect(within(row).getByText(/ago/)).toHaveAttribute('datetime', stolen.revokedAt);
    expect(within(screen.getByRole('row', { name: /gw-1/ })).getByText('Current')).toBeVisible();
  });

  it('is done by the keyboard after what happens was said, and the focus stays where it was', async () => {
    const user = renderApp('/gateways', { role: 'ADMIN' });
    (await screen.findByRole('button', { name: 'Revoke gw-1' })).focus();
    await user.keyboard('{Enter}');
    const dialog = await screen.findByRole('dialog', { name: 'Revoke gateway gw-1?' });
    expect(dialog).toHaveTextContent('accepts none of its certificates');
    expect(dialog).toHaveTextContent('keeps serving its last good snapshot');
    await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Cancel' })).toHaveFocus());
    await user.type(within(dialog).getByRole('textbox', { name: 'Reason' }), ' sold {Enter}');

    const row = await screen.findByRole('row', { name: /gw-1.*Revoked/ });
    expect(row).toHaveTextContent('by anna');
    expect(asked).toContain('revoke gw-1 sold');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await waitFor(() => expect(within(row).getByRole('button', { name: 'Readmit gw-1' })).toHaveFocus());
  });

  it('does nothing when it is cancelled, and names no reason when there is none', async () => {
    const user = renderApp('/gateways', { role: 'ADMIN' });
    await user.click(await screen.findByRole('button', { name: 'Revoke gw-1' }));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(asked).toEqual(['list']);
    await user.click(screen.getByRole('button', { name: 'Revoke gw-1' }));
    await user.click(await screen.findByRole('button', { name: 'Revoke' }));
    await waitFor(() => expect(asked).toContain('revoke gw-1 '));
  });

  it('shows why it was refused', async () => {
    server.use(
      http.put(api('gateways/:id/revocation'), () =>
        problem(400, 'Bad Request', { detail: 'The gateway is in the process of the control plane.' }),
      ),
    );
    const user = renderApp('/gateways', { role: 'ADMIN' });
    await user.click(await screen.findByRole('button', { name: 'Revoke gw-1' }));
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Revoke' }));
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('in the process of the control plane');
    expect(
      within(screen.getByRole('row', { name: /gw-1/, hidden: true })).getByText('Current'),
    ).toBeVisible();
  });

  it('is offered by name for one that is not listed', async () => {
    const user = renderApp('/gateways', { role: 'ADMIN' });
    await user.click(await screen.findByRole('button', { name: 'Revoke by name…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Revoke a gateway by name' });
    expect(dialog).toHaveTextContent('The gateway need not be connected');
    const name = within(dialog).getByRole('textbox', { name: /Gateway/ });
    await waitFor(() => expect(name).toHaveFocus());
    await user.type(name, 'no such/name');
    await user.click(within(dialog).getByRole('button', { name: 'Revoke' }));
    expect(name).toBeInvalid();
    await user.clear(name);
    await user.type(name, 'gw-9{Enter}');
    expect(await screen.findByRole('row', { name: /gw-9.*Revoked/ })).toHaveTextContent('by anna');
    expect(asked.filter((what) => what.startsWith('revoke'))).toEqual(['revoke gw-9 ']);
  });

  it('is undone by readmitting, which says that the join token is needed', async () => {
    const user = renderApp('/gateways', { role: 'ADMIN' });
    await user.click(await screen.findByRole('button', { name: 'Readmit gw-0' }));
    const dialog = await screen.findByRole('dialog', { name: 'Readmit gateway gw-0?' });
    expect(dialog).toHaveTextContent('with the join token');
    await user.click(within(dialog).getByRole('button', { name: 'Readmit' }));
    await waitFor(() => expect(screen.queryByRole('row', { name: /gw-0/ })).not.toBeInTheDocument());
    expect(asked).toContain('readmit gw-0');
  });

  it.each(['VIEWER', 'EDITOR'] as const)('is not offered to a role %s, which asks for none', async (role) => {
    renderApp('/gateways', { role });
    expect(await screen.findByRole('row', { name: /gw-1/ })).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Re(voke|admit)/ })).not.toBeInTheDocument();
    expect(screen.queryByRole('columnheader', { name: 'Actions' })).not.toBeInTheDocument();
    expect(asked).toEqual([]);
  });
});

describe('waiving a gateway', () => {
  const waiver: GatewayWaiver = {
    gatewayId: 'gw-1',
    waivedAt: '2026-01-02T03:04:05Z',
    waivedBy: 'anna',
    reason: 'its disk',
    revision: 7,
  };
  let waived: GatewayWaiver | undefined;

  beforeEach(() => {
    waived = undefined;
    server.use(
      http.get(api('gateways'), () =>
        HttpResponse.json({
          items: [
            {
              ...gateway,
              revision: 6,
              state: 'REFUSED',
              refusal: { revision: 7, message: 'no such file' },
              waived: waived && true,
              waiver: waived,
            },
            { ...gateway, id: 'gw-2' },
          ],
        }),
      ),
      http.put(api('gateways/:id/waiver'), ({ params, request }) => {
        const reason = new URL(request.url).searchParams.get('reason') ?? undefined;
        asked.push(`waive ${String(params.id)} ${reason ?? ''}`);
        waived = { ...waiver, reason };
        return HttpResponse.json(waived);
      }),
      http.delete(api('gateways/:id/waiver'), ({ params }) => {
        asked.push(`count ${String(params.id)}`);
        waived = undefined;
        return new HttpResponse(null, { status: 204 });
      }),
    );
  });

  it('is offered where it refuses a revision, and done after what happens was said', async () => {
    const user = renderApp('/gateways', { role: 'ADMIN' });
    (await screen.findByRole('button', { name: 'Waive gw-1' })).focus();
    expect(screen.queryByRole('button', { name: 'Waive gw-2' })).not.toBeInTheDocument();
    await user.keyboard('{Enter}');
    const dialog = await screen.findByRole('dialog', { name: 'Waive gateway gw-1?' });
    expect(dialog).toHaveTextContent('ends when the gateway serves the newest revision');
    await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Cancel' })).toHaveFocus());
    await user.type(within(dialog).getByRole('textbox', { name: 'Reason' }), ' its disk {Enter}');

    const row = await screen.findByRole('row', { name: /gw-1.*Waived by anna/ });
    expect(row).toHaveTextContent(/Waived by anna, .* ago, at revision 7: its disk/);
    expect(asked).toContain('waive gw-1 its disk');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await waitFor(() => expect(within(row).getByRole('button', { name: 'End waiver gw-1' })).toHaveFocus());
  });

  it('is undone', async () => {
    waived = waiver;
    const user = renderApp('/gateways', { role: 'ADMIN' });
    await user.click(await screen.findByRole('button', { name: 'End waiver gw-1' }));
    const dialog = await screen.findByRole('dialog', { name: 'End the waiver of gateway gw-1?' });
    await user.click(within(dialog).getByRole('button', { name: 'End waiver' }));
    expect(await screen.findByRole('button', { name: 'Waive gw-1' })).toBeVisible();
    expect(asked).toContain('count gw-1');
  });

  it('shows why it was refused, and does nothing when it is cancelled', async () => {
    server.use(
      http.put(api('gateways/:id/waiver'), () =>
        problem(409, 'Nothing to waive', { detail: 'The gateway does not refuse the newest revision.' }),
      ),
    );
    const user = renderApp('/gateways', { role: 'ADMIN' });
    await user.click(await screen.findByRole('button', { name: 'Waive gw-1' }));
    const dialog = await screen.findByRole('dialog');
    await user.click(within(dialog).getByRole('button', { name: 'Waive' }));
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('does not refuse the newest revision');
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(asked.filter((what) => what.startsWith('waive'))).toEqual([]);
  });

  it.each(['VIEWER', 'EDITOR'] as const)('is told to a role %s, and not offered', async (role) => {
    waived = waiver;
    renderApp('/gateways', { role });
    expect(await screen.findByRole('row', { name: /gw-1.*Waived by anna/ })).toBeVisible();
    expect(screen.queryByRole('button', { name: /^(Waive|Count)/ })).not.toBeInTheDocument();
  });
});

describe('the gateways', () => {
  it('are listed although it is not known which are revoked', async () => {
    server.use(
      http.get(api('gateway-revocations'), () => problem(500, 'Failed', { detail: 'It is not known.' })),
    );
    renderApp('/gateways', { role: 'ADMIN' });
    expect(await screen.findByText('It is not known.')).toBeVisible();
    expect(screen.getByRole('row', { name: /gw-1/ })).toHaveTextContent(gateway.host);
  });

  it('say how to start one while there is none', async () => {
    revoked = [];
    server.use(http.get(api('gateways'), () => HttpResponse.json({ items: [] })));
    renderApp('/gateways', { role: 'ADMIN' });
    expect(await screen.findByRole('heading', { name: 'No gateway yet' })).toBeVisible();
  });
});
