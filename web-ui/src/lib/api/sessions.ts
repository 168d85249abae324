import { mutationOptions } from '@tanstack/react-query';
import type { Account, Login, PasswordChange } from '#client';
import { ApiError, UnreachableError } from '@/lib/api/api-error';
import { api, call, failureOf } from '@/lib/api/client';
import { beginCookieSession, beginSession, currentSession, endSession } from '@/lib/session';

const RESTORE_MILLIS_MAX = 3_000;

/** Begins a session; the browser keeps its cookie. By fetch, because a 401 ends no session here. */
export const logIn = mutationOptions({
  mutationFn: async (login: Login): Promise<Account> => {
    const response = await fetch('/api/v1/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(login),
    }).catch((cause: unknown) => {
      throw new UnreachableError(cause instanceof Error ? cause.message : String(cause));
    });
    if (response.status === 401) {
      throw new ApiError({ type: 'about:blank', title: 'User or password is wrong.', status: 401 });
    }
    if (!response.ok) {
      throw await failureOf(response);
    }
    return (await response.json()) as Account;
  },
});

/** Changes the own password; every other session ends. */
export const changePassword = mutationOptions({
  mutationFn: async (passwordChange: PasswordChange): Promise<Account> =>
    (await call(api.access.changeOwnPasswordRaw({ passwordChange }))).value,
});

/** Ends the session here even if the control plane can not be told. */
export async function logOut(everywhere = false): Promise<void> {
  if (currentSession().token === undefined) {
    await call(api.access.logOutRaw({ everywhere })).catch(() => undefined);
  }
  endSession();
}

/** Finds out who is logged in, by a token or by a cookie of which only the control plane knows. */
export async function restoreSession(): Promise<void> {
  const { token } = currentSession();
  try {
    const response = await fetch('/api/v1/session', {
      headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(RESTORE_MILLIS_MAX),
    });
    if (response.ok) {
      const account = (await response.json()) as Account;
      if (token === undefined) {
        beginCookieSession(account);
      } else {
        beginSession(token, account);
      }
    }
  } catch {
    // Nobody is there to ask. With a token the pages say so; without one the login page does.
  }
}
