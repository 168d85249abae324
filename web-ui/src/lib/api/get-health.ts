import { queryOptions } from '@tanstack/react-query';
import { api, call } from '@/lib/api/client';

export const getHealth = queryOptions({
  queryKey: ['health'],
  queryFn: async ({ signal }) => (await call(api.configuration.getHealthRaw({ signal }))).value,
  retry: false,
});
