import { queryOptions } from '@tanstack/react-query';
import { call } from '@/lib/api/client';
import { resourceApis, type Page } from '@/lib/api/resource-api';
import type { Kind } from '@/lib/kinds';

/** How many resources of a kind there are. */
export function countResources(kind: Kind) {
  return queryOptions({
    queryKey: ['resources', kind, 'count'],
    queryFn: async ({ signal }): Promise<number> => {
      // An ordered list says how many items it has, so one of them is enough.
      const { value } = await call<Page<unknown>>(
        resourceApis[kind].list({ limit: 1, sort: 'id' }, { signal }),
      );
      return value.total ?? value.items.length;
    },
  });
}
