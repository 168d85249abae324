import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { stage, stagedChanges } from '@/lib/staged';
import { renderApp } from '@/test/render-app';
import { acknowledged, api, problem, server, shopNodes, tagged } from '@/test/server';

const renamed = { ...shopNodes, name: 'Renamed' };
const change = {
  kind: 'upstreams',
  id: 'shop-nodes',
  base: shopNodes,
  etag: '"one"',
  body: renamed,
} as const;

/** A control plane that refuses a batch with the tag of an older state. */
function batches(newest: string, published: (body: unknown) => void) {
  server.use(
    http.post(api('batch'), async ({ request }) => {
      const body = (await request.json()) as { operations: { ifMatch?: string }[] };
      const index = body.operations.findIndex(({ ifMatch }) => ifMatch !== undefined && ifMatch !== newest);
      if (index >= 0) {
        const own = { index, kind: 'UPSTREAM', id: 'shop-nodes', status: 412 } as const;
        return problem(412, 'Operations cannot be done', {
          operations: [{ ...own, type: 'urn:sigma:problem:precondition-failed' }],
        });
      }
      if (!request.url.includes('dryRun')) {
        published(body);
        return HttpResponse.json({ results: [], revision: acknowledged });
      }
      return HttpResponse.json({
        results: [],
        revision: { number: 8, dryRun: true, votes: [{ gatewayId: 'gw-1', vote: 'ACCEPT' }] },
      });
    }),
  );
}

describe('staged changes', () => {
  it('are collected from forms, shown where the resource is, and published as one revision', async () => {
    const published = vi.fn();
    batches('"one"', published);
    const user = renderApp('/upstreams/shop-nodes', { role: 'EDITOR' });
    const name = await screen.findByLabelText('Name');
    await user.clear(name);
    await user.type(name, 'Renamed');
    await user.click(screen.getByRole('button', { name: 'Stage' }));
    // Back in the list.
    expect(await screen.findByRole('link', { name: 'change staged' })).toBeVisible();
    expect(stagedChanges()).toEqual([change]);

    await user.click(screen.getByRole('link', { name: 'Staged changes: 1' }));
    const card = within(await screen.findByRole('region', { name: 'upstream shop-nodes' }));
    expect(card.getByRole('row', { name: '/name "Shop backends" "Renamed"' })).toBeVisible();
    const review = within(screen.getByRole('region', { name: 'Review' }));
    expect(await review.findByText('1 of 1 gateway can serve this.')).toBeVisible();
    await user.type(review.getByRole('textbox', { name: 'Why' }), 'Spring');
    await user.click(review.getByRole('button', { name: 'Publish 1 change' }));
    expect(await screen.findByText(/^Revision 8, acknowledged/)).toBeVisible();
    expect(published).toHaveBeenCalledExactlyOnceWith({
      operations: [{ action: 'PUT', kind: 'UPSTREAM', id: 'shop-nodes', body: renamed, ifMatch: '"one"' }],
    });
    expect(await screen.findByText('Nothing is staged')).toBeVisible();
  });

  it('are merged with what somebody else changed meanwhile', async () => {
    const published = vi.fn();
    batches('"two"', published);
    server.use(
      http.get(api('upstreams/shop-nodes'), () => tagged({ ...shopNodes, description: 'Theirs' }, '"two"')),
    );
    const user = renderApp('/staged', { role: 'EDITOR' });
    stage(change);
    const merge = within(await screen.findByRole('group', { name: 'Merge of both changes' }));
    expect(screen.getByRole('button', { name: 'Publish 1 change' })).toBeDisabled();
    await user.click(merge.getByRole('button', { name: 'Stage the merge' }));
    const publish = screen.getByRole('button', { name: 'Publish 1 change' });
    await waitFor(() => expect(publish).toBeEnabled());
    await user.click(publish);
    await screen.findByText(/^Revision 8/);
    expect(published.mock.calls[0]?.[0]).toMatchObject({
      operations: [{ body: { ...renamed, description: 'Theirs' }, ifMatch: '"two"' }],
    });
  });

  it('are edited on in the form, and discarded there or all together', async () => {
    batches('"one"', vi.fn());
    const user = renderApp('/upstreams/shop-nodes', { role: 'EDITOR' });
    await screen.findByLabelText('Name');
    stage(change);
    expect(await screen.findByDisplayValue('Renamed')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Discard the staged change' }));
    expect(await screen.findByDisplayValue('Shop backends')).toBeVisible();
    stage(change);
    await user.click(await screen.findByRole('link', { name: 'Show staged changes' }));
    await user.click(await screen.findByRole('button', { name: 'Discard all' }));
    await user.click(await screen.findByRole('button', { name: 'Discard 1 change' }));
    expect(await screen.findByText('Nothing is staged')).toBeVisible();
    expect(stagedChanges()).toEqual([]);
  });
});
