import { queryOptions } from '@tanstack/react-query';
import type { Gateway } from '#client';
import { api, call } from '@/lib/api/client';

/** All gateways, up to the contract's longest page. The event stream keeps this fresh. */
export const listGateways = queryOptions({
  queryKey: ['gateways'],
  queryFn: async ({ signal }): Promise<readonly Gateway[]> =>
    (await call(api.gateways.listGatewaysRaw({ limit: 1000 }, { signal }))).value.items,
});
