import { EditorView } from '@codemirror/view';
import { screen, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { renderApp } from '@/test/render-app';
import { acknowledged, api, problem, server, tagged } from '@/test/server';

const router = { id: 'shop', proxyServerId: 'web', hosts: ['shop.test'] };

async function editor(): Promise<EditorView> {
  const box = await screen.findByRole('textbox', { name: 'JSON of router shop' });
  const view = EditorView.findFromDOM(box);
  if (view === null) {
    throw new Error('There is no editor.');
  }
  return view;
}

function write(view: EditorView, resource: unknown): void {
  const insert = typeof resource === 'string' ? resource : JSON.stringify(resource, null, 2);
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert } });
}

describe('the JSON of a resource', () => {
  it('is checked while one types, reviewed and saved with the tag of what was read', async () => {
    const saved = vi.fn();
    const asked: unknown[] = [];
    let stored: object = router;
    server.use(
      http.get(api('routers/shop'), () => tagged(stored, stored === router ? '"1"' : '"2"')),
      http.post(api('batch'), async ({ request }) => {
        const { operations } = (await request.json()) as { operations: { body: { hosts: string[] } }[] };
        asked.push(operations);
        return operations[0]?.body.hosts[0] === 'a b'
          ? problem(422, 'Operations cannot be done', {
              errors: [
                {
                  pointer: '/operations/0/body/hosts/0',
                  detail: '"a b" (expected: a host name)',
                  code: 'INVALID',
                  values: { given: 'a b', expected: 'a host name' },
                },
              ],
            })
          : HttpResponse.json({ revision: { ...acknowledged, gateways: [], votes: [] }, results: [] });
      }),
      http.put(api('routers/shop'), async ({ request }) => {
        const body = (await request.json()) as object;
        saved(request.headers.get('If-Match'), body);
        stored = body;
        return HttpResponse.json({ resource: body, revision: acknowledged });
      }),
    );
    const user = renderApp('/routers/shop?tab=json');
    const view = await editor();
    expect(JSON.parse(view.state.doc.toString())).toEqual(router);
    const review = () => screen.getByRole('button', { name: /^Review/ });
    expect(review()).toBeDisabled();

    write(view, '{"id": ');
    expect(await screen.findByText('This is not a JSON object yet.')).toBeVisible();
    expect(review()).toBeDisabled();
    expect(asked).toEqual([]);

    write(view, { ...router, hosts: ['a b'] });
    const remarks = screen.getByRole('status', { name: 'Remarks on the JSON' });
    expect(
      await within(remarks).findByText(
        /“a b” is not valid\. Expected: a host name\./,
        {},
        { timeout: 5_000 },
      ),
    ).toBeVisible();
    expect(remarks).toHaveTextContent('Hosts › 1:');
    expect(asked).toEqual([
      [{ action: 'PUT', kind: 'ROUTER', id: 'shop', body: { ...router, hosts: ['a b'] } }],
    ]);

    write(view, { ...router, hosts: ['new.test'] });
    await waitFor(() => expect(remarks).toBeEmptyDOMElement());
    await user.click(screen.getByRole('button', { name: 'Review 1 change' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByText('["new.test"]')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(/^Revision 8/)).toBeVisible();
    expect(saved).toHaveBeenCalledExactlyOnceWith('"1"', { ...router, hosts: ['new.test'] });
    await waitFor(() => expect(screen.getByRole('textbox', { name: /^JSON of/ })).toHaveFocus());
    expect(review()).toBeDisabled();
  });

  it('shows who was faster, and loses nothing', async () => {
    let etag = '"1"';
    server.use(
      http.get(api('routers/shop'), () =>
        tagged({ ...router, name: etag === '"1"' ? undefined : 'Shop' }, etag),
      ),
      http.post(api('batch'), () => HttpResponse.json({ revision: acknowledged, results: [] })),
      http.put(api('routers/shop'), () => {
        etag = '"2"';
        return problem(412, 'Changed meanwhile', { detail: 'Its tag is "2".' });
      }),
    );
    const user = renderApp('/routers/shop?tab=json');
    const view = await editor();
    write(view, { ...router, hosts: ['mine.test'] });
    await user.click(await screen.findByRole('button', { name: 'Review 1 change' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Another user changed this router while you edited it')).toBeVisible();
    expect(view.state.doc.toString()).toContain('mine.test');
    const reload = screen.getByRole('button', { name: 'Reload and discard my edits' });
    await waitFor(() => expect(reload).toBeEnabled());
    await user.click(reload);
    await waitFor(async () => expect((await editor()).state.doc.toString()).toContain('"name": "Shop"'));
    expect((await editor()).state.doc.toString()).not.toContain('mine.test');
  });

  it('is edited as YAML too, and checked against the contract before anybody is asked', async () => {
    const saved = vi.fn();
    const asked = vi.fn();
    server.use(
      http.get(api('routers/shop'), () => tagged(router, '"1"')),
      http.post(api('batch'), async ({ request }) => {
        asked(await request.json());
        return HttpResponse.json({ revision: { ...acknowledged, gateways: [] }, results: [] });
      }),
      http.put(api('routers/shop'), async ({ request }) => {
        saved(await request.json());
        return HttpResponse.json({ resource: router, revision: acknowledged });
      }),
    );
    const user = renderApp('/routers/shop?tab=json');
    write(await editor(), { ...router, hosts: ['mine.test'] });
    await user.click(await screen.findByRole('radio', { name: 'YAML' }));
    const box = await screen.findByRole('textbox', { name: 'YAML of router shop' });
    const view = EditorView.findFromDOM(box) ?? expect.fail('There is no editor.');
    const yaml = 'id: shop\nproxyServerId: web\nhosts:\n  - mine.test\n';
    expect(view.state.doc.toString()).toBe(yaml);

    write(view, `${yaml}hostz: []\n`);
    const remarks = screen.getByRole('status', { name: 'Remarks on the YAML' });
    expect(await within(remarks).findByText(/There is no field “hostz” here/)).toBeVisible();
    // What was right before may have been asked about; what the contract refuses is not.
    expect(JSON.stringify(asked.mock.calls)).not.toContain('hostz');

    write(view, `${yaml}name: Shop # ours\n`);
    await user.click(screen.getByRole('button', { name: 'Review 2 changes' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Save' }));
    await screen.findByText(/^Revision 8/);
    expect(saved).toHaveBeenCalledExactlyOnceWith({ ...router, hosts: ['mine.test'], name: 'Shop' });
  });

  it('is a text to be read for a viewer', async () => {
    server.use(http.get(api('routers/shop'), () => tagged(router, '"1"')));
    renderApp('/routers/shop?tab=json', { role: 'VIEWER' });
    expect(await screen.findByText(/"shop\.test"/)).toBeVisible();
    expect(screen.queryByRole('textbox', { name: /^JSON of/ })).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Copy as curl command' })).toBeVisible();
  });
});
