import { queryOptions } from '@tanstack/react-query';
import { call } from '@/lib/api/client';
import { resourceApis, type Page } from '@/lib/api/resource-api';
import type { Kind } from '@/lib/kinds';

/** The longest page that the contract allows: beyond it the count is a lower bound. */
const COUNT_MAX = 1000;

export interface Count {
  readonly atLeast: number;
  readonly exact: boolean;
}

export function countResources(kind: Kind) {
  return queryOptions({
    queryKey: ['resources', kind, 'count'],
    queryFn: async ({ signal }): Promise<Count> => {
      const { value } = await call<Page<unknown>>(resourceApis[kind].list({ limit: COUNT_MAX }, { signal }));
      return { atLeast: value.items.length, exact: value.nextCursor === undefined };
    },
  });
}
