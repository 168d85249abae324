import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Kind as ContractKind, Severity } from '#client';
import { api, call } from '@/lib/api/client';

const PAGE_SIZE = 100;

export interface FindingFilter {
  readonly severity?: Severity;
}

/** Errors first. */
export function listFindings({ severity }: FindingFilter) {
  return infiniteQueryOptions({
    // Below revisions: each may change it.
    queryKey: ['revisions', 'analysis', severity ?? 'all'],
    queryFn: async ({ pageParam, signal }) =>
      (
        await call(
          api.configuration.getAnalysisRaw({ limit: PAGE_SIZE, cursor: pageParam, severity }, { signal }),
        )
      ).value,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
  });
}

export function findingsOf(kind: ContractKind, id: string) {
  return queryOptions({
    queryKey: ['revisions', 'analysis', kind, id],
    queryFn: async ({ signal }) =>
      (await call(api.configuration.getAnalysisRaw({ limit: 20, kind, id }, { signal }))).value.items,
  });
}

/** How many findings are named one by one where they are summarized. */
export const FINDINGS_SUMMARIZED = 4;

/** How many there are, and the gravest ones. */
export const summarizeFindings = queryOptions({
  queryKey: ['revisions', 'analysis', 'summary'],
  queryFn: async ({ signal }) =>
    (await call(api.configuration.getAnalysisRaw({ limit: FINDINGS_SUMMARIZED }, { signal }))).value,
});
