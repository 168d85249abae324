import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '@/lib/api/client';
import { resourceApis, type ListFilter, type ListQuery } from '@/lib/api/resource-api';
import type { Kind } from '@/lib/kinds';

export const PAGE_ROWS = 100;
/** The longest page that the contract allows, and the operations of a batch that the control plane takes by default. */
export const MATCHES_MAX = 1000;

export const states = ['enabled', 'disabled'] as const;

/** What a list shows, as its address names it. */
export interface ListView extends ListFilter {
  readonly state?: (typeof states)[number];
  /** A field, with a minus in front for the reverse order. */
  readonly sort?: string;
  /** From 2; the first one has no number. */
  readonly page?: number;
}

export function listResources<K extends Kind>(kind: K, view: ListView) {
  return queryOptions({
    queryKey: ['resources', kind, 'list', view],
    queryFn: async ({ signal }) => (await call(resourceApis[kind].list(queryOf(view), { signal }))).value,
    placeholderData: keepPreviousData,
  });
}

/** The ids of all that a view shows, on all of its pages. */
export function listIds(kind: Kind, view: ListView) {
  return queryOptions({
    queryKey: ['resources', kind, 'list-ids', view],
    queryFn: async ({ signal }) => {
      const query = { ...queryOf(view), offset: 0, limit: MATCHES_MAX };
      const { value } = await call<{ items: readonly { id?: string }[] }>(
        resourceApis[kind].list(query, { signal }),
      );
      return value.items.map(({ id = '' }) => id);
    },
    staleTime: 0,
    gcTime: 0,
  });
}

function queryOf({ state, sort = 'id', page = 1, q, ...references }: ListView): ListQuery {
  const words = [q, state && `state:${state}`].filter((word) => word !== undefined).join(' ');
  return {
    ...references,
    ...(words === '' ? {} : { q: words }),
    sort,
    offset: (page - 1) * PAGE_ROWS,
    limit: PAGE_ROWS,
  };
}
