import { queryOptions } from '@tanstack/react-query';
import type { Gateway } from '#client';
import { api, call } from '@/lib/api/client';

/** The event stream tells what becomes of gateways, but not that one is forgotten or revoked. */
const REFRESH_MILLIS = 30_000;

/** All gateways, up to the contract's longest page. */
export const listGateways = queryOptions({
  queryKey: ['gateways'],
  queryFn: async ({ signal }): Promise<readonly Gateway[]> =>
    (await call(api.gateways.listGatewaysRaw({ limit: 1000 }, { signal }))).value.items,
  refetchInterval: REFRESH_MILLIS,
});
