import { queryOptions } from '@tanstack/react-query';
import { api, call } from '@/lib/api/client';

/** The longest page that the contract allows: more groups than these have no place in a list of choices. */
const CONSUMERS_MAX = 1000;

/** The groups that consumers are in, by name. */
export const consumerGroups = queryOptions({
  queryKey: ['resources', 'consumers', 'groups'],
  queryFn: async ({ signal }) => {
    const { value } = await call(api.consumers.listConsumersRaw({ limit: CONSUMERS_MAX }, { signal }));
    return [...new Set(value.items.flatMap(({ groups }) => groups ?? []))].sort();
  },
});
