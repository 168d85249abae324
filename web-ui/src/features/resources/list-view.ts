import { states, type ListView } from '@/lib/api/list-resources';

/** Reads what an address says beside the references of a list. */
export function listViewOf({ state, sort, page }: Readonly<Record<string, unknown>>): ListView {
  return {
    state: states.find((one) => one === state),
    sort: typeof sort === 'string' && /^-?[A-Za-z]{1,32}$/.test(sort) && sort !== 'id' ? sort : undefined,
    page: typeof page === 'number' && Number.isSafeInteger(page) && page > 1 ? page : undefined,
  };
}
