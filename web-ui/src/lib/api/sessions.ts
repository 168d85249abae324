import { mutationOptions, queryOptions } from '@tanstack/react-query';
import type { Account, Login, PasswordChange } from '#client';
import { ApiError, UnreachableError } from '@/lib/api/api-error';
import { backOffMillis } from '@/lib/back-off';
import { api, call, failureOf } from '@/lib/api/client';
import {
  announce,
  beginCookieSession,
  beginSession,
  currentSession,
  endSession,
  isLoggedIn,
  onAnnouncement,
} from '@/lib/session';
import { t } from '@/locales';

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
      throw new ApiError({ type: 'about:blank', title: t('User or password is wrong.'), status: 401 });
    }
    if (!response.ok) {
      throw await failureOf(response, currentSession());
    }
    return (await response.json()) as Account;
  },
  onSuccess: (account: Account) => {
    beginCookieSession(account);
    announce('begun');
  },
});

/** Changes the own password; every other session ends. */
export const changePassword = mutationOptions({
  mutationFn: async (passwordChange: PasswordChange): Promise<Account> =>
    (await call(api.access.changeOwnPasswordRaw({ passwordChange }))).value,
});

/** Ends the session here even if the control plane can not be told, and says so then. */
export async function logOut(everywhere = false): Promise<void> {
  let notice: string | undefined;
  if (currentSession().token === undefined) {
    await call(api.access.logOutRaw({ everywhere })).catch((failure: unknown) => {
      // Refused for want of a session: it has ended already.
      notice =
        failure instanceof ApiError && failure.status === 401
          ? undefined
          : t(
              'You are logged out here, but the control plane could not be reached. Until the session expires, anyone who opens the dashboard in this browser can use it. Log in and out again when the control plane can be reached.',
            );
    });
    announce('ended');
  }
  endSession(notice);
}

/** Finds out who is logged in, by a token or by a cookie of which only the control plane knows. */
export async function restoreSession(): Promise<void> {
  try {
    await askWhoItIs();
  } catch {
    // Nobody is there to ask. With a token the pages say so, and ask again; without one the login page does.
  }
}

/** Asks who is logged in. Fails when nobody answers. */
export async function askWhoItIs(): Promise<void> {
  const asked = currentSession();
  const { token } = asked;
  const response = await fetch('/api/v1/session', {
    headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(RESTORE_MILLIS_MAX),
  });
  if (currentSession() !== asked) {
    // Somebody logged in or out meanwhile.
    return;
  }
  if (response.ok) {
    const account = (await response.json()) as Account;
    if (token === undefined) {
      beginCookieSession(account);
    } else {
      beginSession(token, account);
    }
  } else if (response.status === 401) {
    if (isLoggedIn(asked)) {
      endSession(
        token === undefined ? undefined : t('The control plane did not accept the token. Log in again.'),
      );
    }
  } else {
    throw new Error(`session: ${response.status} (expected: 200 or 401)`);
  }
}

/** For a page that came up while nobody answered. */
export const whoItIs = queryOptions({
  queryKey: ['session'],
  queryFn: async () => {
    await askWhoItIs();
    return null;
  },
  retry: true,
  retryDelay: (failures) => backOffMillis(failures),
});

/** Goes along when another tab logs in or out, as they share one cookie. Returns how to end that. */
export function followOtherTabs(): () => void {
  return onAnnouncement((what) => {
    const { token, account } = currentSession();
    if (token !== undefined) {
      return;
    }
    if (what === 'begun') {
      void restoreSession();
    } else if (account !== undefined) {
      endSession(t('You have logged out in another tab.'));
    }
  });
}
