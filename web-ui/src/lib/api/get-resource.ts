import { queryOptions } from '@tanstack/react-query';
import { call } from '@/lib/api/client';
import { resourceApis } from '@/lib/api/resource-api';
import type { Kind } from '@/lib/kinds';

/** The resource with the entity tag that an edit sends back. */
export function getResource<K extends Kind>(kind: K, id: string) {
  return queryOptions({
    queryKey: ['resources', kind, 'one', id],
    queryFn: ({ signal }) => call(resourceApis[kind].get(id, { signal })),
  });
}
