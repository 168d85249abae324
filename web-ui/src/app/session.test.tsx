import { screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { delay, http, HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import type { Account } from '#client';
import { beginCookieSession } from '@/lib/session';
import { renderApp } from '@/test/render-app';
import { api, browser, problem, server, settingsAccount, TOKEN } from '@/test/server';

const anna: Account = { name: 'anna', role: 'EDITOR', credential: 'SESSION', mustChangePassword: false };

/** A control plane of one cookie, which is whoever is given; nobody while that is undefined. */
function cookieOf(account: () => Account | undefined, logins: Readonly<Record<string, Account>> = {}) {
  server.use(
    http.get(api('session'), () => {
      const known = account();
      return known === undefined ? problem(401, 'Unauthorized') : HttpResponse.json(known);
    }),
    http.post(api('session'), async ({ request }) => {
      const { name } = (await request.json()) as { name: string };
      return HttpResponse.json(logins[name]);
    }),
  );
}

async function logInAs(user: UserEvent, name: string): Promise<void> {
  const dialog = await screen.findByRole('dialog', { name: 'Log in to Sigma again' });
  const byPassword = within(dialog).queryByRole('button', { name: 'Log in with user and password' });
  if (byPassword !== null) {
    await user.click(byPassword);
  }
  await user.clear(within(dialog).getByLabelText(/^User/));
  await user.type(within(dialog).getByLabelText(/^User/), name);
  await user.type(within(dialog).getByLabelText(/^Password/), 'a long password{Enter}');
}

/** Types a name into the form of an upstream, and has the session expire at the next call. */
async function typeAndExpire(): Promise<UserEvent> {
  const user = renderApp('/upstreams/shop-nodes', { role: 'ADMIN' });
  await user.type(await screen.findByLabelText('Name'), ' of mine');
  server.use(http.put(api('upstreams/shop-nodes'), () => problem(401, 'Unauthorized'), { once: true }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByRole('dialog', { name: 'Log in to Sigma again' });
  return user;
}

describe('a session that has expired', () => {
  it('leaves what was typed for whoever logs in again', async () => {
    const user = await typeAndExpire();
    const dialog = screen.getByRole('dialog', { name: 'Log in to Sigma again' });
    expect(within(dialog).getByRole('alert')).toHaveTextContent('The control plane did not accept the token');
    await user.keyboard('{Escape}');
    await user.type(within(dialog).getByLabelText(/^Token/), `${TOKEN}{Enter}`);

    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(screen.getByLabelText('Name')).toHaveValue('Shop backends of mine');
    // What the call was refused for is over.
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('leaves nothing for somebody else', async () => {
    const user = await typeAndExpire();
    cookieOf(() => anna, { anna });
    browser.hasCookie = true;
    await logInAs(user, 'anna');

    expect(await screen.findByRole('heading', { name: 'Overview' })).toBeVisible();
    expect(screen.queryByLabelText('Name')).not.toBeInTheDocument();
    expect(window.location.pathname).toBe('/');
  });

  it('can be left', async () => {
    const user = await typeAndExpire();
    await user.click(screen.getByRole('button', { name: 'Leave the page' }));
    expect(await screen.findByRole('heading', { name: 'Log in to Sigma' })).toBeVisible();
  });

  it('is not asked anything more, as wrong tokens are counted', async () => {
    let asked = 0;
    server.use(
      http.get(api('events'), () => {
        asked++;
        return problem(401, 'Unauthorized');
      }),
    );
    renderApp('/upstreams', { role: 'ADMIN' });
    await screen.findByRole('dialog', { name: 'Log in to Sigma again' });
    await delay(1_000);
    expect(asked).toBe(1);
  });
});

describe('a user whose password somebody else chose', () => {
  it('sees the form for another one, and the page asks for nothing else', async () => {
    const asked: string[] = [];
    server.use(
      http.all(api('*'), ({ request }) => {
        asked.push(new URL(request.url).pathname);
      }),
    );
    beginCookieSession({ ...anna, mustChangePassword: true });
    renderApp('/upstreams', { loggedIn: false });
    expect(await screen.findByRole('heading', { name: 'Change password' })).toBeVisible();
    expect(screen.queryByRole('navigation')).not.toBeInTheDocument();
    await delay(300);
    expect(asked).toEqual([]);
  });
});

describe('other tabs', () => {
  it('tell when somebody else logs in', async () => {
    cookieOf(() => anna);
    browser.hasCookie = true;
    beginCookieSession({ ...anna, name: 'bert', role: 'ADMIN' });
    renderApp('/password', { loggedIn: false });
    expect(await screen.findByRole('button', { name: 'Account bert' })).toBeVisible();
    const other = new BroadcastChannel('sigma.session');
    other.postMessage('begun');
    expect(await screen.findByRole('button', { name: 'Account anna' })).toBeVisible();
    expect(window.location.pathname).toBe('/');

    other.postMessage('ended');
    expect(await screen.findByRole('heading', { name: 'Log in to Sigma' })).toBeVisible();
    expect(screen.getByRole('alert')).toHaveTextContent('You have logged out in another tab.');
    other.close();
  });
});

describe('logging out', () => {
  it('says so when the control plane could not be told', async () => {
    browser.hasCookie = true;
    server.use(http.delete(api('session'), () => HttpResponse.error()));
    beginCookieSession(anna);
    const user = renderApp('/password', { loggedIn: false });
    await user.click(await screen.findByRole('button', { name: 'Log out' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('the control plane could not be reached');
  });
});

describe('who it is', () => {
  it('is asked again when nobody answered, and shown is what the role allows', async () => {
    let asked = 0;
    server.use(
      http.get(api('session'), () => {
        asked++;
        return asked < 3 ? HttpResponse.error() : HttpResponse.json({ ...settingsAccount, role: 'VIEWER' });
      }),
    );
    renderApp('/upstreams');
    expect(await screen.findByRole('button', { name: 'Account Admin token' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'New upstream' })).not.toBeInTheDocument();
  });

  it.each(['/users', '/tokens', '/audit'])('decides what %s asks for', async (path) => {
    const asked: string[] = [];
    server.use(
      http.get(api(':what'), ({ params }) => {
        asked.push(`/${String(params.what)}`);
      }),
    );
    renderApp(path, { role: 'EDITOR' });
    expect(await screen.findByText('Not for the role editor')).toBeVisible();
    expect(asked.filter((one) => /users|tokens|audit/.test(one))).toEqual([]);
  });
});
