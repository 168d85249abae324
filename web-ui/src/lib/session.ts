import { useSyncExternalStore } from 'react';
import type { Account, Role } from '#client';

const STORAGE_KEY = 'sigma.token';

/** Somebody is logged in by a token, or by the cookie of a session, which this page can not see; then the account is known. */
export interface Session {
  /** What is sent as the bearer token, or undefined where the browser sends a cookie, or nobody is logged in. */
  readonly token: string | undefined;
  /** Who it is, or undefined as long as nobody said so. */
  readonly account: Account | undefined;
  /** Why the last session ended, for the login page. */
  readonly notice: string | undefined;
}

const NOBODY = { token: undefined, account: undefined } as const;

let current: Session = {
  ...NOBODY,
  token: sessionStorage.getItem(STORAGE_KEY) ?? undefined,
  notice: undefined,
};
const listeners = new Set<() => void>();

export function currentSession(): Session {
  return current;
}

export function isLoggedIn({ token, account }: Session = current): boolean {
  return token !== undefined || account !== undefined;
}

/** Begins a session with a token. */
export function beginSession(token: string, account?: Account): void {
  sessionStorage.setItem(STORAGE_KEY, token);
  publish({ token, account, notice: undefined });
}

/** Begins, or goes on with, a session whose key is in a cookie. */
export function beginCookieSession(account: Account): void {
  sessionStorage.removeItem(STORAGE_KEY);
  publish({ token: undefined, account, notice: undefined });
}

export function endSession(notice?: string): void {
  sessionStorage.removeItem(STORAGE_KEY);
  publish({ ...NOBODY, notice });
}

/** Takes the token of a one-click link, `/#token=…`, and removes it from the address bar and the history. */
export function takeTokenFromHash(): void {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token !== null) {
    history.replaceState(history.state, '', location.pathname + location.search);
    beginSession(token);
  }
}

export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export function useSession(): Session {
  return useSyncExternalStore(subscribeToSession, currentSession);
}

const ranks: Readonly<Record<Role, number>> = { VIEWER: 0, EDITOR: 1, ADMIN: 2 };

/** Returns whether whoever is logged in has this role. While that is not known, the control plane decides. */
export function useHasRole(least: Role): boolean {
  const { account } = useSession();
  return account === undefined || ranks[account.role] >= ranks[least];
}

function publish(next: Session): void {
  current = next;
  for (const listener of listeners) {
    listener();
  }
}
