import type { BatchOperation } from '#client';
import { kinds, type Kind } from '@/lib/kinds';
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

export function counted(count: number, kind: Kind): string {
  const { singular, plural } = kinds[kind];
  return t('{count} {kind}', { count: number(count), kind: count === 1 ? singular : plural });
}
