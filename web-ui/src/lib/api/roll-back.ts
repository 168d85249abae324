import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Rollback, RollbackResult } from '#client';
import { api, call } from '@/lib/api/client';
import { waitForGateways } from '@/lib/api/resource-api';
import type { Outcome } from '@/lib/api/save-resource';
import { useWrite } from '@/lib/api/use-write';

/** What is to be as it was at a revision: everything, or one resource. */
export interface RollbackWish {
  readonly number: number;
  readonly rollback: Rollback;
}

/** What a roll back would change now, and the tag of what that is about. Below revisions: each that comes may change it. */
export function previewRollback({ number, rollback }: RollbackWish) {
  return queryOptions({
    queryKey: ['revisions', 'rollback', number, rollback],
    queryFn: ({ signal }) =>
      call(api.revisions.rollBackRevisionRaw({ number, rollback, dryRun: true }, { signal })),
    staleTime: 0,
    gcTime: 0,
  });
}

interface RollbackRequest extends RollbackWish {
  readonly message: string | undefined;
  /** That of the preview: nothing else is rolled back than what was shown. */
  readonly ifMatch: string | undefined;
}

export function useRollBack({ onDone, onFailed }: Outcome<{ number: number; result: RollbackResult }>) {
  const client = useQueryClient();
  const write = useWrite();
  return useMutation({
    mutationFn: (request: RollbackRequest) =>
      write(request, (idempotencyKey) =>
        api.revisions.rollBackRevisionRaw({ ...request, ...waitForGateways, idempotencyKey }),
      ),
    onSuccess: ({ value }, { number }) => {
      void client.invalidateQueries({ queryKey: ['resources'] });
      onDone({ number, result: value });
    },
    onError: onFailed,
    // Also when somebody was quicker: the preview is out of date then.
    onSettled: () => {
      void client.invalidateQueries({ queryKey: ['revisions'] });
    },
  });
}
