import { queryOptions } from '@tanstack/react-query';
import { api, call } from '@/lib/api/client';
import { reportUsable } from '@/lib/reachability';

export const getHealth = queryOptions({
  queryKey: ['health'],
  queryFn: async ({ signal }) => {
    const { value } = await call(api.configuration.getHealthRaw({ signal }));
    reportUsable(true);
    return value;
  },
  retry: false,
});
