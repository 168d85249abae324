import { useMutation, useQueryClient } from '@tanstack/react-query';
import { resourceApis, waitForGateways, type Written } from '@/lib/api/resource-api';
import { useWrite } from '@/lib/api/use-write';
import type { Kind, Resources } from '@/lib/kinds';

export interface Save<T> {
  readonly resource: T;
  /** The id of the resource that is edited; undefined creates one. */
  readonly id: string | undefined;
  readonly ifMatch: string | undefined;
  readonly message: string | undefined;
}

/** What to do when a write has ended, be it that whoever asked for it has left the page. */
export interface Outcome<T> {
  readonly onDone: (done: T) => void;
  readonly onFailed: (error: Error) => void;
}

export function useSaveResource<K extends Kind>(
  kind: K,
  { onDone, onFailed }: Outcome<Written<Resources[K]>>,
) {
  const client = useQueryClient();
  const write = useWrite();
  return useMutation({
    mutationFn: (save: Save<Resources[K]>) =>
      write(save, (idempotencyKey) => {
        const { resource, id, ifMatch, message } = save;
        const options = { ...waitForGateways, ifMatch, message, idempotencyKey };
        return id === undefined
          ? resourceApis[kind].create(resource, options)
          : resourceApis[kind].put(id, resource, options);
      }),
    onSuccess: ({ value }) => {
      void client.invalidateQueries({ queryKey: ['resources', kind] });
      void client.invalidateQueries({ queryKey: ['revisions'] });
      onDone(value);
    },
    onError: onFailed,
  });
}
