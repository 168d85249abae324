import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EntityDiff, Revision, RevisionAcks, RevisionDetail } from '#client';
import { renderApp } from '@/test/render-app';
import { acknowledged, api, problem, revision, server } from '@/test/server';

const detail: RevisionDetail = { ...revision, changes: [], changesTotal: 0, truncated: false };
const pathChange: EntityDiff = {
  kind: 'ROUTE',
  id: 'shop-api',
  action: 'UPDATE',
  fields: [{ pointer: '/path', before: '/api/*', after: '/v2/*' }],
};
const certificateChange: EntityDiff = {
  kind: 'CERTIFICATE',
  id: 'shop-cert',
  action: 'UPDATE',
  fields: [{ pointer: '/privateKey', before: '[redacted]', after: '[redacted]' }],
};
const acks: RevisionAcks = {
  revision: 7,
  committedAt: revision.committedAt,
  acknowledged: 1,
  refused: 1,
  pending: 0,
  gateways: [
    { gatewayId: 'gw-1', answer: 'ACK', live: true, lag: 0, answerRevision: 7, millis: 41 },
    {
      gatewayId: 'gw-2',
      answer: 'NACK',
      live: false,
      lag: 3,
      millis: 55,
      refusal: { revision: 7, pointer: '/routes/shop-api/path', message: 'two routes want it' },
    },
  ],
};

beforeEach(() => {
  server.use(
    http.get(api('revisions/:number/acks'), () => HttpResponse.json(acks)),
    http.get(api('revisions/:number/diff/:other'), ({ params }) =>
      HttpResponse.json({
        from: Number(params.number),
        to: Number(params.other),
        truncated: false,
        changes: [pathChange, certificateChange],
      }),
    ),
    http.get(api('revisions/:number'), ({ params }) =>
      HttpResponse.json({ ...detail, number: Number(params.number) }),
    ),
  );
});

describe('the list of revisions', () => {
  it('is filtered by message, and what is typed keeps the focus', async () => {
    const asked: string[] = [];
    server.use(
      http.get(api('revisions'), ({ request }) => {
        const query = new URL(request.url).searchParams;
        asked.push(`${query.get('text') ?? ''} ${query.get('kind') ?? ''}`);
        return HttpResponse.json({ items: query.get('text') === null ? [revision] : [] });
      }),
    );
    const user = renderApp('/revisions?kind=ROUTE');
    expect(await screen.findByRole('link', { name: 'Revision 7' })).toBeVisible();
    const message = await screen.findByRole('textbox', { name: 'Message' });
    await user.type(message, 'node');
    expect(await screen.findByText('No revision matches')).toBeVisible();
    expect(message).toHaveFocus();
    expect(asked).toContain(' ROUTE');
    expect(asked.at(-1)).toBe('node ROUTE');
    await user.click(screen.getByRole('button', { name: 'Clear the filters' }));
    expect(await screen.findByRole('link', { name: 'Revision 7' })).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Message' })).toHaveValue('');
  });

  it('compares any two, the older first', async () => {
    server.use(
      http.get(api('revisions'), () =>
        HttpResponse.json({ items: [9, 8, 7].map((number): Revision => ({ ...revision, number })) }),
      ),
    );
    const user = renderApp('/revisions');
    expect(await screen.findByRole('button', { name: 'Compare two' })).toBeDisabled();
    await user.click(await screen.findByRole('checkbox', { name: 'Compare revision 9' }));
    await user.click(screen.getByRole('checkbox', { name: 'Compare revision 7' }));
    await user.click(screen.getByRole('button', { name: 'Compare 7 and 9' }));
    expect(await screen.findByRole('heading', { name: 'Revision 9' })).toBeVisible();
    expect(await screen.findByRole('textbox', { name: 'Compared with revision' })).toHaveValue('7');
    expect(window.location.search).toBe('?from=7');
  });
});

describe('the page of a revision', () => {
  it('shows each field that differs, and that a secret does without showing it', async () => {
    renderApp('/revisions/7');
    const route = await screen.findByRole('region', { name: 'route shop-api' });
    const row = within(route).getByRole('row', { name: /\/path/ });
    expect(row).toHaveTextContent('"/api/*"');
    expect(row).toHaveTextContent('"/v2/*"');
    const secret = within(screen.getByRole('region', { name: 'certificate shop-cert' })).getByRole('row', {
      name: /privateKey/,
    });
    expect(secret).toHaveTextContent('another secret');
  });

  it('says what each gateway answered, why, and how far it is behind', async () => {
    renderApp('/revisions/7');
    const table = await screen.findByRole('table', { name: 'Answers and votes of gateways' });
    expect(within(table).getByRole('row', { name: /gw-1 Acknowledged 7 41 ms 0/ })).toBeVisible();
    const refused = within(table).getByRole('row', { name: /gw-2/ });
    expect(refused).toHaveTextContent('Refused');
    expect(refused).toHaveTextContent('two routes want it');
    expect(refused).toHaveTextContent('/routes/shop-api/path');
    expect(refused).toHaveTextContent('no report lately');
    expect(screen.getByText('1 acknowledged, 1 refused')).toBeVisible();
  });

  it('is compared with the empty state when it is the first', async () => {
    let asked = '';
    server.use(
      http.get(api('revisions/:number/diff/:other'), ({ params }) => {
        asked = `${String(params.number)} ${String(params.other)}`;
        const gone = { ...pathChange, action: 'DELETE', fields: [{ pointer: '/path', before: '/api/*' }] };
        return HttpResponse.json({ from: 1, to: 0, truncated: false, changes: [gone] });
      }),
    );
    renderApp('/revisions/1');
    const route = await screen.findByRole('region', { name: 'route shop-api' });
    expect(within(route).getByText('Created')).toBeVisible();
    expect(within(route).getByRole('row', { name: /\/path/ })).toHaveTextContent('/path"/api/*"');
    expect(asked).toBe('1 0');
  });

  it('shows what it changed itself where the one before is no longer kept', async () => {
    server.use(
      http.get(api('revisions/:number/diff/:other'), () => problem(410, 'Revision no longer kept')),
      http.get(api('revisions/7'), () =>
        HttpResponse.json({
          ...detail,
          changes: [
            {
              kind: 'ROUTE',
              id: 'old',
              action: 'UPDATE',
              before: { priority: 1 },
              after: { priority: 2 },
            },
          ],
          changesTotal: 100_000,
          truncated: true,
        } satisfies RevisionDetail),
      ),
    );
    renderApp('/revisions/7');
    const route = await screen.findByRole('region', { name: 'route old' });
    expect(screen.getByText('These are the first 1 of 100000 changes.')).toBeVisible();
    expect(within(route).getByRole('row', { name: /\/priority/ })).toHaveTextContent('/priority12');
  });

  it('starts from where a checkpoint does', async () => {
    let asked = '';
    server.use(
      http.get(api('revisions/7'), () => HttpResponse.json({ ...detail, since: 2 })),
      http.get(api('revisions/2/diff/7'), () => {
        asked = '2 7';
        return HttpResponse.json({ from: 2, to: 7, truncated: false, changes: [pathChange] });
      }),
    );
    renderApp('/revisions/7');
    expect(await screen.findByRole('region', { name: 'route shop-api' })).toBeVisible();
    expect(asked).toBe('2 7');
    expect(screen.getByRole('textbox', { name: 'Compared with revision' })).toHaveValue('2');
    expect(screen.getByRole('link', { name: 'Previous: revision 2' })).toBeVisible();
  });

  it('says so when there is no such revision', async () => {
    server.use(
      http.get(api('revisions/99'), () => problem(404, 'Not found', { detail: 'There is no revision 99.' })),
      http.get(api('revisions/99/acks'), () => problem(404, 'Not found')),
      http.get(api('revisions/99/diff/98'), () => problem(404, 'Not found')),
    );
    renderApp('/revisions/99');
    expect(await screen.findByText('There is no revision 99.')).toBeVisible();
  });

  it('offers a viewer no roll back', async () => {
    renderApp('/revisions/7', { role: 'VIEWER' });
    expect(await screen.findByRole('region', { name: 'route shop-api' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /Roll back/ })).not.toBeInTheDocument();
  });
});

describe('rolling back', () => {
  interface Asked {
    readonly number: string;
    readonly dryRun: string | null;
    readonly message: string | null;
    readonly body: unknown;
    readonly ifMatch: string | null;
  }

  function rollbackHandler(asked: Asked[], changes: readonly EntityDiff[]) {
    return http.post(api('revisions/:number/rollback'), async ({ request, params }) => {
      const query = new URL(request.url).searchParams;
      const dryRun = query.get('dryRun');
      asked.push({
        number: String(params.number),
        dryRun,
        message: query.get('message'),
        body: await request.json(),
        ifMatch: request.headers.get('If-Match'),
      });
      return HttpResponse.json(
        {
          revision: dryRun === 'true' ? { number: 8, changed: true, dryRun: true } : acknowledged,
          changes,
        },
        { headers: { ETag: '"7-0f"' } },
      );
    });
  }

  it('shows first what it would change, and changes it only when told to', async () => {
    const asked: Asked[] = [];
    server.use(rollbackHandler(asked, [pathChange]));
    const user = renderApp('/revisions/7');
    await user.click(await screen.findByRole('button', { name: 'Roll back…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Roll back everything' });
    const planned = await within(dialog).findByRole('region', { name: 'route shop-api' });
    // The dialog fades in.
    await waitFor(() => {
      expect(within(planned).getByText('Change')).toBeVisible();
    });
    expect(within(planned).getByRole('row', { name: /\/path/ })).toHaveTextContent('"/v2/*"');
    expect(
      within(dialog).getByText(
        /1 resource changed\. This restores the state of revision 6 and makes revision 8/,
      ),
    ).toBeVisible();
    // The newest one: back to what was before it.
    expect(asked).toEqual([{ number: '6', dryRun: 'true', message: null, body: {}, ifMatch: null }]);

    await user.type(within(dialog).getByRole('textbox', { name: 'Why' }), 'Too early');
    await user.click(within(dialog).getByRole('button', { name: 'Roll back 1 resource' }));
    expect(await screen.findByRole('heading', { name: 'Revision 8' })).toBeVisible();
    expect(await screen.findByText(/acknowledged by 2 of 2 gateways/)).toBeVisible();
    expect(asked.filter(({ dryRun }) => dryRun === null)).toEqual([
      // Only while it is still about what was shown.
      { number: '6', dryRun: null, message: 'Too early', body: {}, ifMatch: '"7-0f"' },
    ]);
  });

  it('is possible for one resource, to either side of the comparison', async () => {
    const asked: Asked[] = [];
    server.use(rollbackHandler(asked, [pathChange]));
    const user = renderApp('/revisions/7?from=3');
    await user.click(await screen.findByRole('button', { name: 'Roll back shop-api' }));
    const dialog = await screen.findByRole('dialog', { name: 'Roll back route shop-api' });
    expect(within(dialog).getByRole('radio', { name: 'Revision 3' })).toBeChecked();
    await user.click(within(dialog).getByRole('radio', { name: 'Revision 7' }));
    await within(dialog).findByRole('button', { name: 'Roll back 1 resource' });
    expect(asked.map(({ number }) => number)).toEqual(['3', '7']);
    expect(asked[0]?.body).toEqual({ kind: 'ROUTE', id: 'shop-api' });
  });

  it('can not be confirmed when it would change nothing', async () => {
    server.use(rollbackHandler([], []));
    const user = renderApp('/revisions/7');
    await user.click(await screen.findByRole('button', { name: 'Roll back shop-api' }));
    expect(await screen.findByText(/^Nothing changes: /)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Roll back' })).toBeDisabled();
  });

  it('says who still needs the resource, or which gateway refuses', async () => {
    server.use(
      http.post(api('revisions/:number/rollback'), () =>
        problem(409, 'Still in use', { detail: 'The route refers to it.' }),
      ),
    );
    const user = renderApp('/revisions/7');
    await user.click(await screen.findByRole('button', { name: 'Roll back shop-api' }));
    const dialog = await screen.findByRole('dialog');
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('The route refers to it.');
    expect(within(dialog).getByRole('button', { name: 'Roll back' })).toBeDisabled();
  });
});
