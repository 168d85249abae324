import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '@/lib/api/client';
import { resourceApis, waitForGateways } from '@/lib/api/resource-api';
import type { Kind, Resources } from '@/lib/kinds';

export interface Save<T> {
  readonly resource: T;
  /** The id of the resource that is edited; undefined creates one. */
  readonly id: string | undefined;
  readonly ifMatch: string | undefined;
  readonly message: string | undefined;
}

export function useSaveResource<K extends Kind>(kind: K) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ resource, id, ifMatch, message }: Save<Resources[K]>) => {
      const options = { ...waitForGateways, ifMatch, message };
      return call(
        id === undefined
          ? resourceApis[kind].create(resource, options)
          : resourceApis[kind].put(id, resource, options),
      );
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: ['resources', kind] });
      void client.invalidateQueries({ queryKey: ['revisions'] });
    },
  });
}
