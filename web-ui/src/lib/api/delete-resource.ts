import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Deleted } from '#client';
import { resourceApis, waitForGateways } from '@/lib/api/resource-api';
import type { Outcome } from '@/lib/api/save-resource';
import { useWrite } from '@/lib/api/use-write';
import type { Kind } from '@/lib/kinds';

interface Deletion {
  readonly id: string;
  readonly ifMatch: string | undefined;
  readonly message: string | undefined;
}

export function useDeleteResource(kind: Kind, { onDone, onFailed }: Outcome<Deleted>) {
  const client = useQueryClient();
  const write = useWrite();
  return useMutation({
    mutationFn: (deletion: Deletion) =>
      write(deletion, (idempotencyKey) => {
        const { id, ...options } = deletion;
        return resourceApis[kind].remove(id, { ...waitForGateways, ...options, idempotencyKey });
      }),
    onSuccess: ({ value }, { id }) => {
      client.removeQueries({ queryKey: ['resources', kind, 'one', id] });
      void client.invalidateQueries({ queryKey: ['resources', kind] });
      void client.invalidateQueries({ queryKey: ['revisions'] });
      onDone(value);
    },
    onError: onFailed,
  });
}
