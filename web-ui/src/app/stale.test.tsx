import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { renderApp } from '@/test/render-app';
import { api, problem, server } from '@/test/server';

const BANNER = /The control plane is unreachable\. The page shows the data that were loaded last/;

describe('while the control plane is away', () => {
  it('keeps what was loaded, says so, and takes the news when it is back', async () => {
    const user = renderApp('/upstreams');
    expect(await screen.findByRole('link', { name: 'shop-nodes' })).toBeVisible();

    server.use(
      http.get(api('health'), () => HttpResponse.error()),
      http.get(api('upstreams'), () => HttpResponse.error()),
      http.get(api('upstreams/:id/health'), () => HttpResponse.error()),
      http.get(api('routes'), () => HttpResponse.error()),
    );
    await user.click(screen.getByRole('link', { name: 'Routes' }));
    expect(await screen.findByText(BANNER)).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Upstreams' }));
    expect(await screen.findByRole('link', { name: 'shop-nodes' })).toBeVisible();

    server.resetHandlers();
    server.use(
      http.get(api('upstreams'), () =>
        HttpResponse.json({ items: [{ id: 'fresh', nodes: [{ url: 'http://a' }] }] }),
      ),
    );
    await user.click(screen.getByRole('button', { name: 'Try now' }));
    expect(await screen.findByRole('link', { name: 'fresh' })).toBeVisible();
    await waitFor(() => expect(screen.queryByText(BANNER)).not.toBeInTheDocument());
  });
});

describe('a 503', () => {
  it('of a control plane that says that its database is away raises the banner until it says that it is back', async () => {
    const away = { type: 'urn:sigma:problem:database-away', detail: 'The database does not answer.' };
    server.use(
      http.get(api('upstreams'), () => problem(503, 'Unavailable', away)),
      http.get(api('health'), () => HttpResponse.json({ status: 'DOWN' }, { status: 503 })),
    );
    const user = renderApp('/upstreams');
    expect(await screen.findByText(BANNER)).toBeVisible();
    // What is answered from memory says nothing else.
    await user.click(screen.getByRole('link', { name: 'Routes' }));
    expect(await screen.findByRole('heading', { name: 'No routes yet' })).toBeVisible();
    expect(screen.getByText(BANNER)).toBeVisible();

    server.resetHandlers();
    await user.click(screen.getByRole('button', { name: 'Try now' }));
    await waitFor(() => expect(screen.queryByText(BANNER)).not.toBeInTheDocument());
  });

  it('of whatever stands in front of the control plane raises the banner', async () => {
    server.use(http.all(api('*'), () => new HttpResponse('<h1>No backend</h1>', { status: 503 })));
    renderApp('/upstreams');
    expect(await screen.findByText(BANNER)).toBeVisible();
    expect(await screen.findByText(/^Not loaded yet\./)).toBeVisible();
    expect(screen.getAllByRole('alert'), 'an outage is alerted once').toHaveLength(1);
  });

  it('about anything else belongs to what asked', async () => {
    const silent = { type: 'urn:sigma:problem:unavailable', detail: 'Gateway "gw-1" does not answer.' };
    server.use(http.get(api('upstreams'), () => problem(503, 'Unavailable', silent)));
    renderApp('/upstreams');
    expect(await screen.findByText('Gateway "gw-1" does not answer.')).toBeVisible();
    expect(screen.queryByText(BANNER)).not.toBeInTheDocument();
  });
});

describe('while some calls fail and others succeed', () => {
  it('does not ask again and again without a pause', async () => {
    let asked = 0;
    server.use(
      http.get(api('upstreams'), () => {
        asked += 1;
        return HttpResponse.error();
      }),
    );
    renderApp('/upstreams');
    await waitFor(() => expect(asked).toBeGreaterThan(0));
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(asked).toBeGreaterThan(1);
    expect(asked).toBeLessThan(16);
  });
});

describe('a page that can not be loaded', () => {
  it("shows the problem in the control plane's words, and tries again", async () => {
    server.use(http.get(api('upstreams'), () => problem(400, 'Bad Request', { detail: 'name is too long' })));
    const user = renderApp('/upstreams?name=shop');
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Bad Request');
    expect(alert).toHaveTextContent('name is too long');
    server.resetHandlers();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('link', { name: 'shop-nodes' })).toBeVisible();
  });

  it('offers the next step where there is nothing yet', async () => {
    renderApp('/routes');
    expect(await screen.findByRole('heading', { name: 'No routes yet' })).toBeVisible();
    expect(screen.getAllByRole('link', { name: 'New route' })[0]).toHaveAttribute('href', '/new/routes');
  });
});
