import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, call } from '@/lib/api/client';

/** As for the health of one upstream. */
const REFRESH_MILLIS = 15_000;

/** As many ids as the contract allows in one question. */
export const UPSTREAMS_MAX = 50;

export const nodeHealthKey = ['node-health'] as const;

/** The nodes of all upstreams that failed: ejected, or unhealthy. */
export const listFailedNodes = queryOptions({
  queryKey: [...nodeHealthKey, 'failed'],
  queryFn: async ({ signal }) => (await call(api.upstreams.listNodeHealthRaw({}, { signal }))).value.nodes,
  refetchInterval: REFRESH_MILLIS,
});

/** All nodes of these upstreams, as far as one question goes. */
export function listNodesOf(upstreamIds: readonly string[]) {
  const asked = upstreamIds.slice(0, UPSTREAMS_MAX);
  return queryOptions({
    queryKey: [...nodeHealthKey, 'of', asked],
    queryFn: async ({ signal }) =>
      (await call(api.upstreams.listNodeHealthRaw({ upstreamIds: asked.join(',') }, { signal }))).value.nodes,
    enabled: asked.length > 0,
    refetchInterval: REFRESH_MILLIS,
    // Another part of the lane is in sight: what is known of the rest holds meanwhile.
    placeholderData: keepPreviousData,
  });
}
