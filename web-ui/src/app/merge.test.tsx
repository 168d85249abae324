import { EditorView } from '@codemirror/view';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { renderApp } from '@/test/render-app';
import { acknowledged, api, problem, server, shopNodes, tagged } from '@/test/server';

/** Somebody else saves this before the first write comes. */
function overtakenBy(theirs: object, received: (body: unknown, tag: string | null) => void) {
  server.use(
    http.put(api('upstreams/shop-nodes'), async ({ request }) => {
      const tag = request.headers.get('If-Match');
      if (tag === '"two"') {
        received(await request.json(), tag);
        return HttpResponse.json({ resource: theirs, revision: acknowledged });
      }
      server.use(http.get(api('upstreams/shop-nodes'), () => tagged(theirs as never, '"two"')));
      return problem(412, 'Precondition Failed');
    }),
    http.post(api('batch'), () => HttpResponse.json({ revision: acknowledged, results: [] })),
  );
}

describe('a conflict in a form', () => {
  it('is merged by itself where the changes do not touch', async () => {
    const received = vi.fn();
    const theirs = {
      ...shopNodes,
      balancing: 'RANDOM',
      nodes: [...(shopNodes.nodes ?? []), { url: 'http://theirs' }],
    };
    overtakenBy(theirs, received);
    const user = renderApp('/upstreams/shop-nodes');
    await user.type(await screen.findByLabelText('Name'), ' of mine');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const merge = within(await screen.findByRole('group', { name: 'Merge of both changes' }));
    expect(merge.getByText(/do not touch the same field/)).toBeVisible();
    expect(
      merge.getByRole('row', { name: 'Name Mine "Shop backends" "Shop backends of mine"' }),
    ).toBeVisible();
    expect(merge.getByRole('row', { name: 'Balancing Theirs "ROUND_ROBIN" "RANDOM"' })).toBeVisible();
    await user.click(merge.getByRole('button', { name: 'Save the merge' }));
    await screen.findByText(/^Revision 8/);
    expect(received).toHaveBeenCalledExactlyOnceWith({ ...theirs, name: 'Shop backends of mine' }, '"two"');
  });

  it('asks which side counts where both changed a field, and goes on in the form', async () => {
    const received = vi.fn();
    overtakenBy({ ...shopNodes, name: 'Theirs', description: 'New' }, received);
    const user = renderApp('/upstreams/shop-nodes');
    await user.type(await screen.findByLabelText('Name'), ' of mine');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const merge = within(await screen.findByRole('group', { name: 'Merge of both changes' }));
    const goOn = merge.getByRole('button', { name: 'Continue with the merge' });
    expect(merge.getByRole('button', { name: 'Save the merge' })).toBeDisabled();
    expect(goOn).toBeDisabled();
    const field = within(merge.getByRole('group', { name: 'Name' }));
    await user.click(field.getByRole('radio', { name: /^Theirs/ }));
    expect(merge.getByText(/nothing of yours is left/)).toBeVisible();
    await user.click(field.getByRole('radio', { name: /^Mine/ }));
    await user.click(goOn);
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
    expect(screen.getByLabelText('Name')).toHaveValue('Shop backends of mine');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText(/^Revision 8/);
    expect(received).toHaveBeenCalledExactlyOnceWith(
      { ...shopNodes, name: 'Shop backends of mine', description: 'New' },
      '"two"',
    );
  });
});

describe('a conflict in a text', () => {
  it('is merged in the same way', async () => {
    const received = vi.fn();
    overtakenBy({ ...shopNodes, name: 'Theirs' }, received);
    const user = renderApp('/upstreams/shop-nodes?tab=json');
    const view = EditorView.findFromDOM(await screen.findByRole('textbox', { name: /^JSON of/ }));
    const mine = { ...shopNodes, name: 'Mine', description: 'Mine too' };
    view?.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: JSON.stringify(mine) } });
    await user.click(await screen.findByRole('button', { name: 'Review 2 changes' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Save' }));
    const merge = within(await screen.findByRole('group', { name: 'Merge of both changes' }));
    await user.click(
      within(merge.getByRole('group', { name: 'Name' })).getByRole('radio', { name: /^Theirs/ }),
    );
    await user.click(merge.getByRole('button', { name: 'Save the merge' }));
    await screen.findByText(/^Revision 8/);
    expect(received).toHaveBeenCalledExactlyOnceWith({ ...mine, name: 'Theirs' }, '"two"');
  });
});
