import { queryOptions } from '@tanstack/react-query';
import type { ChangeAction, EntityDiff, RevisionDiff } from '#client';
import { api, call } from '@/lib/api/client';

/** More resources than that nobody compares by eye. */
const RESOURCES_MAX = 200;

/** Returns what leads from one revision to another, field by field; 0 is the empty state. */
export function diffRevisions(from: number, to: number) {
  return queryOptions({
    // What lies between two revisions never changes.
    queryKey: ['revision', to, 'diff', from],
    queryFn: async ({ signal }): Promise<RevisionDiff> =>
      // Nothing can be asked of the empty state, so what leads to it is turned round.
      from === 0 ? reversed(await diff(to, 0, signal)) : diff(from, to, signal),
    staleTime: Infinity,
  });
}

async function diff(number: number, other: number, signal: AbortSignal): Promise<RevisionDiff> {
  return (await call(api.revisions.diffRevisionsRaw({ number, other, limit: RESOURCES_MAX }, { signal })))
    .value;
}

const opposites: Readonly<Record<ChangeAction, ChangeAction>> = {
  CREATE: 'DELETE',
  UPDATE: 'UPDATE',
  DELETE: 'CREATE',
};

function reversed({ from, to, changes, ...rest }: RevisionDiff): RevisionDiff {
  return {
    ...rest,
    from: to,
    to: from,
    changes: changes.map(({ action, fields, ...entity }): EntityDiff => ({
      ...entity,
      action: opposites[action],
      fields: fields.map(({ pointer, before, after }: FieldSides) => ({
        pointer,
        ...(after === undefined ? {} : { before: after }),
        ...(before === undefined ? {} : { after: before }),
      })),
    })),
  };
}

/** The contract says that values may be anything, which the generated client calls any. */
interface FieldSides {
  readonly pointer: string;
  readonly before?: unknown;
  readonly after?: unknown;
}
