import { useQueries } from '@tanstack/react-query';
import { call } from '@/lib/api/client';
import { resourceApis } from '@/lib/api/resource-api';
import { allKinds, type Kind, type Resources } from '@/lib/kinds';

/** As many as the contract allows in one question. */
const IDS_MAX = 50;

/** What the rows of a list refer to, asked for together. */
export function useResourcesById<K extends Kind>(
  kind: K,
  ids: readonly string[],
): ReadonlyMap<string, Resources[K]> {
  return useQueries({
    queries: partsOf(ids).map((part) => ({
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

type Labels = Readonly<Record<string, string>>;

/** Returns the labels that resources have now, by kind and id; undefined while they are asked for. Those that no longer exist have none. */
export function useLabelsOf(
  some: readonly { readonly kind: Kind; readonly id: string }[],
): ReadonlyMap<string, Labels> | undefined {
  const parts = allKinds.flatMap((kind) => {
    const ids = some.filter((one) => one.kind === kind).map(({ id }) => id);
    return partsOf(ids).map((part) => ({ kind, part }));
  });
  return useQueries({
    queries: parts.map(({ kind, part }) => ({
      queryKey: ['resources', kind, 'labels-by-id', part],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const query = { ids: part.join(','), limit: IDS_MAX };
        const { value } = await call<{ items: readonly { id?: string; labels?: Labels }[] }>(
          resourceApis[kind].list(query, { signal }),
        );
        return value.items.map(({ id = '', labels = {} }) => [`${kind}/${id}`, labels] as const);
      },
    })),
    combine: allLabels,
  });
}

function allLabels(
  results: readonly { readonly data: readonly (readonly [string, Labels])[] | undefined }[],
): ReadonlyMap<string, Labels> | undefined {
  return results.every(({ data }) => data !== undefined)
    ? new Map(results.flatMap(({ data = [] }) => data))
    : undefined;
}

function partsOf(ids: readonly string[]): readonly (readonly string[])[] {
  const wanted = [...new Set(ids)].sort();
  return Array.from({ length: Math.ceil(wanted.length / IDS_MAX) }, (_, part) =>
    wanted.slice(part * IDS_MAX, (part + 1) * IDS_MAX),
  );
}
