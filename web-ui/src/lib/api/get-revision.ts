import { queryOptions } from '@tanstack/react-query';
import { api, call } from '@/lib/api/client';

export function getRevision(number: number) {
  return queryOptions({
    // Apart from ['revisions']: a revision never changes, whatever comes after it.
    queryKey: ['revision', number],
    queryFn: async ({ signal }) => (await call(api.revisions.getRevisionRaw({ number }, { signal }))).value,
    staleTime: Infinity,
  });
}
