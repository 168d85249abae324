import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Rollback } from '#client';
import { api, call } from '@/lib/api/client';
import { waitForGateways } from '@/lib/api/resource-api';

/** What is to be as it was at a revision: everything, or one resource. */
export interface RollbackWish {
  readonly number: number;
  readonly rollback: Rollback;
}

/** What a roll back would change now. Below revisions: each that comes may change it. */
export function previewRollback({ number, rollback }: RollbackWish) {
  return queryOptions({
    queryKey: ['revisions', 'rollback', number, rollback],
    queryFn: async ({ signal }) =>
      (await call(api.revisions.rollBackRevisionRaw({ number, rollback, dryRun: true }, { signal }))).value,
    staleTime: 0,
    gcTime: 0,
  });
}

export function useRollBack() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ number, rollback, message }: RollbackWish & { message: string | undefined }) =>
      call(api.revisions.rollBackRevisionRaw({ number, rollback, message, ...waitForGateways })),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['resources'] });
      void client.invalidateQueries({ queryKey: ['revisions'] });
    },
  });
}
