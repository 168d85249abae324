import type { FieldError } from '#client';
import { labelOf } from '@/components/form/label-of';
import { messageOf } from '@/components/form/field-messages';
import type { Remark } from '@/features/resources/json/json-editor';
import { ApiError } from '@/lib/api/api-error';
import { tryBatch } from '@/lib/api/batch';
import { stepsOf } from '@/lib/json-pointer';
import { kinds, listNameOf, type Kind } from '@/lib/kinds';
import { t } from '@/locales';
import { translateServer } from '@/locales/server';

/** Asks the control plane, without a change, what a write of `body` would be refused for or what the analysis says to it. */
export async function checkJson(kind: Kind, id: string, body: object): Promise<readonly Remark[]> {
  const { contractKind } = kinds[kind];
  try {
    const { revision } = await tryBatch([{ action: 'PUT', kind: contractKind, id, body }]);
    return (revision.findings ?? [])
      .filter((finding) => finding.kind === contractKind && finding.id === id)
      .map(({ pointer, detail }) => ({ pointer, message: translateServer(detail), severity: 'warning' }));
  } catch (error) {
    // Whatever else fails is told when it is saved.
    return error instanceof ApiError ? remarksOf(error.problem.errors ?? [], kind, id) : [];
  }
}

/** Errors with pointers into the resource: those of a batch point into it, those of gateways into the whole state. */
function remarksOf(errors: readonly FieldError[], kind: Kind, id: string): readonly Remark[] {
  return errors.map((error) => {
    const steps = stepsOf(error.pointer);
    const label = steps.findLast((step) => !/^\d+$/.test(step));
    return {
      pointer: withoutStart(error.pointer, ['/operations/0/body', `/${listNameOf(kind)}/${id}`]),
      message: messageOf(error, { label: label === undefined ? t('This') : labelOf(label) }),
      severity: 'error',
    };
  });
}

function withoutStart(pointer: string, starts: readonly string[]): string {
  const start = starts.find((one) => pointer === one || pointer.startsWith(`${one}/`));
  return start === undefined ? pointer : pointer.slice(start.length);
}
