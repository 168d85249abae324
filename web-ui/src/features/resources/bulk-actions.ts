import type { BatchOperation } from '#client';
import { isSame } from '@/lib/json-merge';
import { kinds, type Kind } from '@/lib/kinds';
import type { StagedChange } from '@/lib/staged';
import { number, t } from '@/locales';

/** What is done to many resources at once. */
export type BulkAction =
  | { readonly type: 'enable' | 'disable' | 'delete' }
  | { readonly type: 'label'; readonly key: string; readonly value: string }
  | { readonly type: 'unlabel'; readonly key: string };

export function operationsFor(kind: Kind, ids: readonly string[], action: BulkAction): BatchOperation[] {
  const { contractKind } = kinds[kind];
  const body = patchOf(action);
  return ids.map((id) =>
    body === undefined
      ? { action: 'DELETE', kind: contractKind, id }
      : { action: 'PATCH', kind: contractKind, id, body },
  );
}

function patchOf(action: BulkAction): object | undefined {
  switch (action.type) {
    case 'enable':
      return { enabled: true };
    case 'disable':
      return { enabled: false };
    case 'label':
      return { labels: { [action.key]: action.value } };
    case 'unlabel':
      return { labels: { [action.key]: null } };
    case 'delete':
      return undefined;
  }
}

/**
 * Returns what an action stages of a resource, on top of what is staged of it; undefined where it changes nothing.
 *
 * @param newest what was read, with its tag
 */
export function changeFor(
  kind: Kind,
  id: string,
  action: BulkAction,
  newest: { readonly value: object; readonly etag: string | undefined },
  staged: StagedChange | undefined,
): StagedChange | undefined {
  const { base, etag } = staged ?? { base: newest.value, etag: newest.etag };
  const before = staged === undefined ? newest.value : staged.body;
  const body = action.type === 'delete' ? undefined : changed(before ?? newest.value, action);
  const same = before === undefined ? body === undefined : body !== undefined && isSame(before, body);
  return same ? undefined : { kind, id, base, etag, body };
}

interface Changeable {
  readonly enabled?: boolean;
  readonly labels?: Readonly<Record<string, string>>;
}

function changed(resource: Changeable, action: Exclude<BulkAction, { readonly type: 'delete' }>): object {
  const { labels = {}, ...others } = resource;
  if (action.type === 'label') {
    return { ...resource, labels: { ...labels, [action.key]: action.value } };
  }
  if (action.type === 'unlabel') {
    const left = Object.entries(labels).filter(([key]) => key !== action.key);
    return left.length === 0 ? others : { ...others, labels: Object.fromEntries(left) };
  }
  const enabled = action.type === 'enable';
  return (resource.enabled ?? true) === enabled ? resource : { ...resource, enabled };
}

export function counted(count: number, kind: Kind): string {
  const { singular, plural } = kinds[kind];
  return t('{count} {kind}', { count: number(count), kind: count === 1 ? singular : plural });
}
