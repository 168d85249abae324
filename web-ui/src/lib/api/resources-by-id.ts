import { useQueries } from '@tanstack/react-query';
import { call } from '@/lib/api/client';
import { resourceApis } from '@/lib/api/resource-api';
import type { Kind, Resources } from '@/lib/kinds';

/** As many as the contract allows in one question. */
const IDS_MAX = 50;

/** What the rows of a list refer to, asked for together. */
export function useResourcesById<K extends Kind>(
  kind: K,
  ids: readonly string[],
): ReadonlyMap<string, Resources[K]> {
  const wanted = [...new Set(ids)].sort();
  const parts = Array.from({ length: Math.ceil(wanted.length / IDS_MAX) }, (_, part) =>
    wanted.slice(part * IDS_MAX, (part + 1) * IDS_MAX),
  );
  return useQueries({
    queries: parts.map((part) => ({
      queryKey: ['resources', kind, 'by-id', part],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
        (await call(resourceApis[kind].list({ ids: part.join(','), limit: IDS_MAX }, { signal }))).value
          .items,
    })),
    combine: byId,
  });
}

/** Always the same function, so that it is called again only after a result has changed. */
function byId<R extends { readonly id?: string }>(
  results: readonly { readonly data: readonly R[] | undefined }[],
): ReadonlyMap<string, R> {
  return new Map(results.flatMap(({ data }) => data ?? []).map((item) => [item.id ?? '', item] as const));
}
