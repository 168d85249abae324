import type { BatchResult, FieldError } from '#client';
import { ApiError } from '@/lib/api/api-error';
import { kindOf, kinds } from '@/lib/kinds';
import type { StagedChange } from '@/lib/staged';
import { listed, t } from '@/locales';

/** What a dry run of all staged changes says to one of them. */
export interface Standing {
  /** Somebody else changed, created or deleted the resource since. */
  readonly overtaken: boolean;
  /** With pointers into the resource. */
  readonly errors: readonly FieldError[];
}

export function standingsOf(
  changes: readonly StagedChange[],
  result: BatchResult | undefined,
  error: Error | null,
): readonly Standing[] {
  const problem = error instanceof ApiError ? error.problem : undefined;
  return changes.map(({ base }, i) => {
    const own = (problem?.operations ?? []).find(({ index }) => index === i);
    const start = `/operations/${i}`;
    const fields = (problem?.errors ?? [])
      .filter(({ pointer }) => pointer.startsWith(`${start}/body`))
      .map((one) => ({ ...one, pointer: one.pointer.slice(`${start}/body`.length) }));
    // A new resource has no tag that would tell.
    const exists = base === undefined && error === null && result?.results[i]?.before !== undefined;
    const gone = own?.status === 404 && own.type.endsWith(':not-found');
    const overtaken = own?.status === 412 || exists || gone;
    const told = own !== undefined && !overtaken && fields.length === 0 ? [failureOf(own)] : fields;
    return { overtaken, errors: told };
  });
}

type Failure = NonNullable<ApiError['problem']['operations']>[number];

function failureOf({ detail, referrers = [], type }: Failure): FieldError {
  return {
    pointer: '',
    code: 'FAILED',
    detail:
      referrers.length === 0
        ? (detail ?? type)
        : t('Still used by {users}.', {
            users: listed(referrers.map((one) => `${kinds[kindOf(one.kind)].singular} ${one.id}`)),
          }),
  };
}
