import { useSyncExternalStore } from 'react';

const STORAGE_KEY = 'sigma.token';

export interface Session {
  /** The admin token, or undefined while nobody is logged in. */
  readonly token: string | undefined;
  /** Why the last session ended, for the login page. */
  readonly notice: string | undefined;
}

let current: Session = { token: sessionStorage.getItem(STORAGE_KEY) ?? undefined, notice: undefined };
const listeners = new Set<() => void>();

export function currentSession(): Session {
  return current;
}

export function beginSession(token: string): void {
  sessionStorage.setItem(STORAGE_KEY, token);
  publish({ token, notice: undefined });
}

export function endSession(notice?: string): void {
  sessionStorage.removeItem(STORAGE_KEY);
  publish({ token: undefined, notice });
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

function publish(next: Session): void {
  current = next;
  for (const listener of listeners) {
    listener();
  }
}
