import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, call } from '@/lib/api/client';

/** Resources of every kind in which each word occurs, and routes that take a path. */
export function search(words: string, limit: number) {
  return queryOptions({
    queryKey: ['search', words, limit],
    queryFn: async ({ signal }) =>
      (await call(api.configuration.searchRaw({ q: words, limit }, { signal }))).value,
    enabled: words !== '',
    placeholderData: keepPreviousData,
    // What is found changes with every revision.
    staleTime: 0,
  });
}
