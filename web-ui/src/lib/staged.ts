import { useSyncExternalStore } from 'react';
import type { BatchOperation } from '#client';
import type { Answer } from '@/lib/api/client';
import { isSame } from '@/lib/json-merge';
import { kinds, type Kind } from '@/lib/kinds';
import { currentSession, isLoggedIn, subscribeToSession, type Session } from '@/lib/session';

/** A change of one resource that is not published yet. */
export interface StagedChange {
  readonly kind: Kind;
  readonly id: string;
  /** What it starts from; undefined creates the resource. */
  readonly base: object | undefined;
  /** The tag of what it starts from. */
  readonly etag: string | undefined;
  /** What the resource becomes; undefined deletes it. */
  readonly body: object | undefined;
}

interface Stored {
  readonly owner: string;
  readonly changes: readonly StagedChange[];
}

/** More belong into a state file. */
export const STAGED_MAX = 100;
/** A browser keeps about 5 million characters for a page. */
const CHARACTERS_MAX = 1_000_000;
const STORAGE_KEY = 'sigma.staged';
const NONE: readonly StagedChange[] = [];

let stored: Stored | undefined = read();
const listeners = new Set<() => void>();

subscribeToSession(() => {
  const session = currentSession();
  const owner = ownerOf(session);
  // What one person staged is not for the next. Who logs in again after the end of a session finds it.
  if (stored !== undefined && (owner === undefined ? !isLoggedIn(session) : owner !== stored.owner)) {
    keep(undefined);
  } else {
    tell();
  }
});

/** Returns what the present person has staged in this tab, in the order in which it was done. */
export function stagedChanges(): readonly StagedChange[] {
  return stored !== undefined && stored.owner === ownerOf(currentSession()) ? stored.changes : NONE;
}

export function useStaged(): readonly StagedChange[] {
  return useSyncExternalStore(subscribe, stagedChanges);
}

/** The ids of resources that are staged to be created, as a search for them finds them. */
export function useStagedIds(kind: Kind, search: string): readonly string[] {
  return useStaged()
    .filter((one) => one.kind === kind && one.base === undefined && one.id.includes(search))
    .map(({ id }) => id);
}

/** The staged change of one resource. */
export function useStagedChange(kind: Kind, id: string | undefined): StagedChange | undefined {
  return useStaged().find((one) => one.kind === kind && one.id === id);
}

/**
 * Keeps changes until they are published or discarded, each in the place of another one of the same resource.
 *
 * @returns whether there was room for all of them; without it none is kept
 */
export function stage(...wanted: readonly StagedChange[]): boolean {
  const owner = ownerOf(currentSession());
  let changes = stagedChanges();
  for (const change of wanted) {
    const at = changes.findIndex((one) => isOf(one, change));
    changes = at < 0 ? [...changes, change] : changes.with(at, change);
  }
  if (owner === undefined || changes.length > STAGED_MAX || JSON.stringify(changes).length > CHARACTERS_MAX) {
    return false;
  }
  keep({ owner, changes });
  return true;
}

/** Forgets what is staged for these resources. */
export function unstage(gone: readonly Pick<StagedChange, 'kind' | 'id'>[]): void {
  const left = stagedChanges().filter((one) => !gone.some((other) => isOf(one, other)));
  keep(stored === undefined || left.length === 0 ? undefined : { ...stored, changes: left });
}

/** Returns the operations of a batch that publishes the changes, as long as nobody else changed the same. */
export function operationsOf(changes: readonly StagedChange[]): readonly BatchOperation[] {
  return changes.map(({ kind, id, etag, body }) => ({
    action: body === undefined ? 'DELETE' : 'PUT',
    kind: kinds[kind].contractKind,
    id,
    ...(body !== undefined && { body }),
    ...(etag !== undefined && { ifMatch: etag }),
  }));
}

/** Returns what an edit starts from: what was read, or what a staged change started from. */
export function startOf<T extends object>(newest: Answer<T>, staged: StagedChange | undefined): Answer<T> {
  return staged?.base === undefined ? newest : { value: staged.base as T, etag: staged.etag };
}

/** Whether just this is staged. */
export function isStaged(kind: Kind, id: string, body: object | undefined): boolean {
  return stagedChanges().some((one) => isOf(one, { kind, id }) && isSame(one.body, body));
}

/** Whether a change has a secret that was just typed. Such a change is not written to the storage of the browser. */
export function hasSecret(value: unknown, within = ''): boolean {
  if (Array.isArray(value)) {
    return value.some((item) => hasSecret(item, within));
  }
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  return Object.entries(value).some(
    ([name, inner]: [string, unknown]) =>
      (typeof inner === 'string' &&
        inner !== HIDDEN &&
        (SECRETS.has(name) || (within === 'apiKeys' && name === 'key'))) ||
      hasSecret(inner, name),
  );
}

/** What the control plane shows in place of a secret. */
const HIDDEN = '[redacted]';
const SECRETS = new Set(['privateKey', 'password', 'passwordHash', 'secret', 'sha256']);

function isOf(one: Pick<StagedChange, 'kind' | 'id'>, other: Pick<StagedChange, 'kind' | 'id'>): boolean {
  return one.kind === other.kind && one.id === other.id;
}

function ownerOf({ account }: Session): string | undefined {
  return account && `${account.credential} ${account.name}`;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function keep(next: Stored | undefined): void {
  stored = next;
  const lasting = next?.changes.filter(({ body }) => !hasSecret(body)) ?? [];
  if (next === undefined || lasting.length === 0) {
    sessionStorage.removeItem(STORAGE_KEY);
  } else {
    try {
      sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ ...next, changes: lasting }));
    } catch {
      // The storage of the browser is full: the changes last until the next load of the page.
      sessionStorage.removeItem(STORAGE_KEY);
    }
  }
  tell();
}

function tell(): void {
  for (const listener of listeners) {
    listener();
  }
}

function read(): Stored | undefined {
  try {
    const found = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as Stored | null;
    return found !== null && Array.isArray(found.changes)
      ? {
          owner: found.owner,
          changes: (found.changes as readonly StagedChange[]).filter(({ kind }) =>
            Object.hasOwn(kinds, kind),
          ),
        }
      : undefined;
  } catch {
    return undefined;
  }
}
