import type { BatchOperation } from '#client';
import { t } from '@/locales';

/** What was typed, read; or why it could not be. Neither when nothing was. */
export interface ReadOperations {
  readonly operations?: readonly BatchOperation[];
  readonly error?: string;
}

/** Reads a JSON list of operations, or the body of a batch that has one. Whether each is right, the control plane says. */
export function operationsOf(text: string): ReadOperations {
  if (text.trim() === '') {
    return {};
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (failure) {
    return {
      error: t('This is not JSON: {reason}', {
        reason: failure instanceof Error ? failure.message : String(failure),
      }),
    };
  }
  const list = typeof json === 'object' && json !== null && 'operations' in json ? json.operations : json;
  return Array.isArray(list) && list.length > 0
    ? { operations: list as readonly BatchOperation[] }
    : { error: t('This is not a list of operations (expected: {list})', { list: '[{ … }]' }) };
}
