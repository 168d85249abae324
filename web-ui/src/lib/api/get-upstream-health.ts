import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, call } from '@/lib/api/client';

/** Health changes without a revision: it is asked for again while it is on the screen, and when the stream tells of it. */
const REFRESH_MILLIS = 15_000;

const PAGE_SIZE = 50;

/** Which changes of nodes are wanted; what is absent is no condition. */
export interface NodeHistoryFilter {
  readonly node?: string;
  readonly gateway?: string;
}

/** What the live gateways hold of the nodes of an upstream. */
export function getUpstreamHealth(id: string) {
  return queryOptions({
    queryKey: ['upstream-health', id],
    queryFn: async ({ signal }) => (await call(api.upstreams.getUpstreamHealthRaw({ id }, { signal }))).value,
    refetchInterval: REFRESH_MILLIS,
  });
}

/** What became of the nodes of an upstream, the last change first. Its key begins with that of their health. */
export function listNodeHistory(id: string, filter: NodeHistoryFilter) {
  return infiniteQueryOptions({
    queryKey: [...getUpstreamHealth(id).queryKey, 'history', filter],
    queryFn: async ({ pageParam, signal }) =>
      (
        await call(
          api.upstreams.getUpstreamHealthHistoryRaw(
            { id, ...filter, limit: PAGE_SIZE, cursor: pageParam },
            { signal },
          ),
        )
      ).value,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    refetchInterval: REFRESH_MILLIS,
  });
}
