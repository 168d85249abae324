import type { BatchOperation, FieldError } from '#client';
import { messageOf } from '@/components/form/field-messages';
import { t } from '@/locales';

export type ExposeField = 'nodes' | 'host' | 'path' | 'port' | 'chain' | 'privateKey';

/** Where the form has what an operation says, by its kind and the beginning of the pointer. */
const places: readonly (readonly [BatchOperation['kind'], string, ExposeField, string])[] = [
  ['UPSTREAM', '/nodes', 'nodes', t('Node')],
  ['ROUTER', '/hosts', 'host', t('Host')],
  ['ROUTE', '/path', 'path', t('Path')],
  ['PROXY_SERVER', '/port', 'port', t('Port')],
  ['CERTIFICATE', '/chain', 'chain', t('Certificate')],
  ['CERTIFICATE', '/privateKey', 'privateKey', t('Private key')],
];

/** Returns which field of the form is wrong, and what is wrong elsewhere. */
export function fieldErrorsOf(
  errors: readonly FieldError[],
  operations: readonly BatchOperation[],
): { readonly byField: ReadonlyMap<ExposeField, string>; readonly elsewhere: readonly FieldError[] } {
  const byField = new Map<ExposeField, string>();
  const elsewhere: FieldError[] = [];
  for (const error of errors) {
    const [, index = '', rest = ''] = /^\/operations\/(\d+)(?:\/body)?(.*)$/.exec(error.pointer) ?? [];
    const kind = operations[Number(index)]?.kind;
    const place = places.find(([of, start]) => of === kind && rest.startsWith(start));
    if (place === undefined) {
      elsewhere.push(error);
    } else {
      byField.set(place[2], messageOf(error, { label: place[3] }));
    }
  }
  return { byField, elsewhere };
}
