import { render } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import type { Role } from '#client';
import { App } from '@/app/app';
import { newQueryClient } from '@/app/query-client';
import { newRouter } from '@/app/new-router';
import { beginSession } from '@/lib/session';
import { settingsAccount, TOKEN } from '@/test/server';

/** Opens the dashboard at this address, logged in unless said otherwise. */
export function renderApp(
  path: string,
  { loggedIn = true, role }: { loggedIn?: boolean; role?: Role } = {},
): UserEvent {
  if (loggedIn) {
    beginSession(TOKEN, role && { ...settingsAccount, role });
  }
  window.history.pushState({}, '', path);
  const queryClient = newQueryClient();
  render(<App router={newRouter(queryClient)} queryClient={queryClient} animated={false} />);
  return userEvent.setup({ delay: null });
}
