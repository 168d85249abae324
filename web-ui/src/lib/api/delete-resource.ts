import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@/lib/api/client';
import { resourceApis, waitForGateways } from '@/lib/api/resource-api';
import type { Kind } from '@/lib/kinds';

export function useDeleteResource(kind: Kind) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ifMatch }: { id: string; ifMatch: string | undefined }) =>
      call(resourceApis[kind].remove(id, { ...waitForGateways, ifMatch })),
    onSuccess: (_, { id }) => {
      client.removeQueries({ queryKey: ['resources', kind, 'one', id] });
      void client.invalidateQueries({ queryKey: ['resources', kind] });
      void client.invalidateQueries({ queryKey: ['revisions'] });
    },
  });
}
