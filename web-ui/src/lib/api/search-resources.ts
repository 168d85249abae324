import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '@/lib/api/client';
import { resourceApis, type ListFilter } from '@/lib/api/resource-api';
import type { Kind } from '@/lib/kinds';

/** The first few matches: what a select or a short panel shows. */
export function searchResources<K extends Kind>(kind: K, filter: ListFilter, limit: number) {
  return queryOptions({
    queryKey: ['resources', kind, 'search', filter, limit],
    queryFn: async ({ signal }) =>
      (await call(resourceApis[kind].list({ ...filter, limit }, { signal }))).value,
    placeholderData: keepPreviousData,
  });
}
