import { useMutation, useQueryClient } from '@tanstack/react-query';
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

interface BatchWish {
  readonly operations: readonly BatchOperation[];
  readonly message: string | undefined;
}

/** Does all of the operations in one revision, or none. */
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
    onSuccess: ({ value }) => {
      void client.invalidateQueries({ queryKey: ['resources'] });
      void client.invalidateQueries({ queryKey: ['revisions'] });
      onDone(value);
    },
    onError: onFailed,
  });
}
