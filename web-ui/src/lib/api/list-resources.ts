import { infiniteQueryOptions } from '@tanstack/react-query';
import { call } from '@/lib/api/client';
import { resourceApis, type ListFilter } from '@/lib/api/resource-api';
import type { Kind } from '@/lib/kinds';

const PAGE_SIZE = 50;

export function listResources<K extends Kind>(kind: K, filter: ListFilter) {
  return infiniteQueryOptions({
    queryKey: ['resources', kind, 'list', filter],
    queryFn: async ({ pageParam, signal }) => {
      const query = {
        ...filter,
        limit: PAGE_SIZE,
        ...(pageParam === undefined ? {} : { cursor: pageParam }),
      };
      return (await call(resourceApis[kind].list(query, { signal }))).value;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
  });
}
