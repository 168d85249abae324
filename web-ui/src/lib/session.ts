import { useSyncExternalStore } from 'react';
import type { Account, Kind, Role } from '#client';

const STORAGE_KEY = 'sigma.token';

/** Somebody is logged in by a token, or by the cookie of a session, which this page can not see; then the account is known. */
export interface Session {
  /** What is sent as the bearer token, or undefined where the browser sends a cookie, or nobody is logged in. */
  readonly token: string | undefined;
  /** Who it is, or undefined as long as nobody said so. */
  readonly account: Account | undefined;
  /** Why the last session ended, for the login. */
  readonly notice: string | undefined;
  /** The control plane takes no call any more. The pages stay as they are, with what was typed, until somebody logs in again. */
  readonly expired: boolean;
  /** Another number for another person: what one has loaded and typed is not for the next. */
  readonly person: number;
}

const NOBODY = { token: undefined, account: undefined, expired: false } as const;
/** Tabs share a cookie, so that who is logged in may change in all of them at once. */
const CHANNEL = 'sigma.session';
export type Announcement = 'begun' | 'ended';

let current: Session = {
  ...NOBODY,
  token: sessionStorage.getItem(STORAGE_KEY) ?? undefined,
  notice: undefined,
  person: 0,
};
const listeners = new Set<() => void>();
const channel = new BroadcastChannel(CHANNEL);

export function currentSession(): Session {
  return current;
}

/** Whether the pages are somebody's, be it that the session has expired. */
export function isLoggedIn({ token, account }: Session = current): boolean {
  return token !== undefined || account !== undefined;
}

/** Begins a session with a token. */
export function beginSession(token: string, account?: Account): void {
  sessionStorage.setItem(STORAGE_KEY, token);
  begin(token, account);
}

/** Begins, or goes on with, a session whose key is in a cookie. */
export function beginCookieSession(account: Account): void {
  sessionStorage.removeItem(STORAGE_KEY);
  begin(undefined, account);
}

function begin(token: string | undefined, account: Account | undefined): void {
  const person = isSamePerson(current, token, account) ? current.person : current.person + 1;
  publish({ token, account, notice: undefined, expired: false, person });
}

function isSamePerson(known: Session, token: string | undefined, account: Account | undefined): boolean {
  if (token !== undefined && token === known.token) {
    return true;
  }
  return (
    account !== undefined &&
    account.name === known.account?.name &&
    account.credential === known.account.credential
  );
}

export function endSession(notice?: string): void {
  sessionStorage.removeItem(STORAGE_KEY);
  publish({ ...NOBODY, notice, person: current.person + 1 });
}

/**
 * Notes that a call was refused for want of a login.
 *
 * @param asked the session in which the call was made: what another one was refused says nothing about the present one
 */
export function expireSession(asked: Session, notice: string): void {
  if (asked === current && isLoggedIn()) {
    // A load of the page must not try it again.
    sessionStorage.removeItem(STORAGE_KEY);
    publish({ ...current, notice, expired: true });
  }
}

/** Tells the other tabs what became of the cookie that they share with this one. */
export function announce(what: Announcement): void {
  channel.postMessage(what);
}

export function onAnnouncement(listener: (what: Announcement) => void): () => void {
  const receive = ({ data }: MessageEvent) => listener(data === 'ended' ? 'ended' : 'begun');
  channel.addEventListener('message', receive);
  return () => channel.removeEventListener('message', receive);
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

/** Returns whether whoever is logged in may change resources of some kinds at all; a restricted token has a list of them. */
export function useMayWrite(): (...kinds: Kind[]) => boolean {
  const { account: { kinds: some = [] } = {} } = useSession();
  const editor = useHasRole('EDITOR');
  return (...kinds) => editor && (some.length === 0 || kinds.every((kind) => some.includes(kind)));
}

/** What exposing a service creates in any case. */
export const EXPOSED: Kind[] = ['PROXY_PASS', 'ROUTE'];

function publish(next: Session): void {
  current = next;
  for (const listener of listeners) {
    listener();
  }
}
