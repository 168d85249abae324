import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BatchOperation, BatchResult } from '#client';
import { api, call } from '@/lib/api/client';
import { waitForGateways } from '@/lib/api/resource-api';
import type { Outcome } from '@/lib/api/save-resource';
import { useWrite } from '@/lib/api/use-write';

/** Returns what the operations would do, with findings and the votes of the gateways. */
export async function tryBatch(operations: readonly BatchOperation[]): Promise<BatchResult> {
  return (await call(api.configuration.batchRaw({ batch: { operations: [...operations] }, dryRun: true })))
    .value;
}

/** As {@link tryBatch}, for a page that shows it. */
export function previewBatch(operations: readonly BatchOperation[]) {
  return queryOptions({
    queryKey: ['batch-preview', operations],
    queryFn: () => tryBatch(operations),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}

interface BatchWish {
  readonly operations: readonly BatchOperation[];
  readonly message: string | undefined;
}

/** Does all of the operations in one revision, or none. Ends when the pages show what was done. */
export function useBatch({ onDone, onFailed }: Outcome<BatchResult>) {
  const client = useQueryClient();
  const write = useWrite();
  return useMutation({
    mutationFn: (wish: BatchWish) =>
      write(wish, (idempotencyKey) =>
        api.configuration.batchRaw({
          batch: { operations: [...wish.operations] },
          message: wish.message,
          ...waitForGateways,
          idempotencyKey,
        }),
      ),
    onSuccess: async ({ value }) => {
      onDone(value);
      void client.invalidateQueries({ queryKey: ['revisions'] });
      await client.invalidateQueries({ queryKey: ['resources'] });
    },
    onError: onFailed,
  });
}
