import { queryOptions } from '@tanstack/react-query';
import { api, call } from '@/lib/api/client';

/** Health changes without a revision: it is asked for again while it is on the screen, and when the stream tells of it. */
const REFRESH_MILLIS = 15_000;

/** What the live gateways hold of the nodes of an upstream. */
export function getUpstreamHealth(id: string) {
  return queryOptions({
    queryKey: ['upstream-health', id],
    queryFn: async ({ signal }) => (await call(api.upstreams.getUpstreamHealthRaw({ id }, { signal }))).value,
    refetchInterval: REFRESH_MILLIS,
  });
}
