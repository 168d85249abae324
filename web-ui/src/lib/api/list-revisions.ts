import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, call } from '@/lib/api/client';

const PAGE_SIZE = 50;

/** Newest first. */
export const listRevisions = infiniteQueryOptions({
  queryKey: ['revisions', 'list'],
  queryFn: async ({ pageParam, signal }) =>
    (await call(api.revisions.listRevisionsRaw({ limit: PAGE_SIZE, cursor: pageParam }, { signal }))).value,
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor,
});

export const LATEST_REVISIONS = 6;

export const latestRevisions = queryOptions({
  queryKey: ['revisions', 'latest'],
  queryFn: async ({ signal }) =>
    (await call(api.revisions.listRevisionsRaw({ limit: LATEST_REVISIONS }, { signal }))).value.items,
});
