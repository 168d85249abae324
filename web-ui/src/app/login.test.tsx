import { screen } from '@testing-library/react';
import { http } from 'msw';
import { describe, expect, it } from 'vitest';
import { currentSession, takeTokenFromHash } from '@/lib/session';
import { renderApp } from '@/test/render-app';
import { api, problem, server, TOKEN } from '@/test/server';

describe('logging in', () => {
  it('asks for the token first, and then shows the page that was asked for', async () => {
    const user = renderApp('/upstreams?name=shop', { loggedIn: false });
    await user.click(await screen.findByRole('button', { name: 'Log in with a token' }));
    await user.type(screen.getByLabelText(/^Token/), `${TOKEN}{Enter}`);
    expect(await screen.findByRole('heading', { name: 'Upstreams' })).toBeVisible();
    expect(screen.getByRole('searchbox', { name: 'Search' })).toHaveValue('shop');
    expect(currentSession().token).toBe(TOKEN);
  });

  it('says so when the control plane does not accept the token', async () => {
    const user = renderApp('/', { loggedIn: false });
    await user.click(await screen.findByRole('button', { name: 'Log in with a token' }));
    await user.type(screen.getByLabelText(/^Token/), 'wrong{Enter}');
    expect(await screen.findByText('The control plane did not accept this token.')).toBeVisible();
    expect(currentSession().token).toBeUndefined();
  });

  it('comes first, with a reason, when the token that was kept is not accepted', async () => {
    server.use(http.get(api('session'), () => problem(401, 'Unauthorized')));
    renderApp('/upstreams');
    expect(await screen.findByRole('heading', { name: 'Log in to Sigma' })).toBeVisible();
    expect(screen.getByRole('alert')).toHaveTextContent('The control plane did not accept the token');
  });

  it('leads nowhere else, whatever the link says', async () => {
    const user = renderApp('/login?next=//elsewhere.example.com/', { loggedIn: false });
    await user.click(await screen.findByRole('button', { name: 'Log in with a token' }));
    await user.type(screen.getByLabelText(/^Token/), `${TOKEN}{Enter}`);
    expect(await screen.findByRole('heading', { name: 'Overview' })).toBeVisible();
    expect(window.location.pathname).toBe('/');
  });

  it('takes the token of a one-click link and removes it from the address', () => {
    window.history.pushState({}, '', '/routes?name=a#token=from-the-link');
    takeTokenFromHash();
    expect(currentSession().token).toBe('from-the-link');
    expect(window.location.href).toMatch(/\/routes\?name=a$/);
  });
});
