import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Kind as ContractKind } from '#client';
import { api, call } from '@/lib/api/client';

const PAGE_SIZE = 50;

/** Which revisions are wanted; what is absent is no condition. */
export interface RevisionFilter {
  readonly author?: string;
  /** In the message. */
  readonly text?: string;
  /** Of a resource that it changed. */
  readonly kind?: ContractKind;
  readonly id?: string;
}

/** Newest first. */
export function listRevisions(filter: RevisionFilter) {
  return infiniteQueryOptions({
    queryKey: ['revisions', 'list', filter],
    queryFn: async ({ pageParam, signal }) =>
      (
        await call(
          api.revisions.listRevisionsRaw({ ...filter, limit: PAGE_SIZE, cursor: pageParam }, { signal }),
        )
      ).value,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
  });
}

export const LATEST_REVISIONS = 6;

export const latestRevisions = queryOptions({
  queryKey: ['revisions', 'latest'],
  queryFn: async ({ signal }) =>
    (await call(api.revisions.listRevisionsRaw({ limit: LATEST_REVISIONS }, { signal }))).value.items,
});

const CHANGES_SHOWN = 3;

/** The newest revisions that changed a resource. */
export function newestChangesOf(kind: ContractKind, id: string) {
  return queryOptions({
    queryKey: ['revisions', 'of', kind, id],
    queryFn: async ({ signal }) =>
      (await call(api.revisions.listRevisionsRaw({ kind, id, limit: CHANGES_SHOWN }, { signal }))).value
        .items,
  });
}
