import { queryOptions } from '@tanstack/react-query';
import type { Gateway } from '#client';
import { api, call } from '@/lib/api/client';

/** The event stream tells what becomes of gateways, but not that one is forgotten or revoked. */
const REFRESH_MILLIS = 30_000;

const PAGE_SIZE = 1000;
/** More than any fleet: a bound against cursors that never end. */
const GATEWAYS_MAX = 10_000;

/** All gateways, ordered by id. */
export const listGateways = queryOptions({
  queryKey: ['gateways'],
  queryFn: async ({ signal }): Promise<readonly Gateway[]> => {
    const gateways: Gateway[] = [];
    let cursor: string | undefined;
    do {
      const { items, nextCursor } = (
        await call(api.gateways.listGatewaysRaw({ limit: PAGE_SIZE, cursor }, { signal }))
      ).value;
      gateways.push(...items);
      cursor = nextCursor;
    } while (cursor !== undefined && gateways.length < GATEWAYS_MAX);
    return gateways;
  },
  refetchInterval: REFRESH_MILLIS,
});
