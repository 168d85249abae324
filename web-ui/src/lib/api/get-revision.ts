import { queryOptions } from '@tanstack/react-query';
import { api, call } from '@/lib/api/client';

export function getRevision(number: number) {
  return queryOptions({
    queryKey: ['revisions', 'one', number],
    queryFn: async ({ signal }) => (await call(api.revisions.getRevisionRaw({ number }, { signal }))).value,
    // A revision never changes.
    staleTime: Infinity,
  });
}
