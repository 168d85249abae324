import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, type QueryClient } from '@tanstack/react-query';
import type { OperationResult } from '#client';
import { baseIdOf, type Existing, type ExposeWish, type Station } from '@/features/expose/expose-plan';
import { search } from '@/lib/api/search';
import { searchResources } from '@/lib/api/search-resources';
import { kindOf } from '@/lib/kinds';

const TYPING_PAUSE_MILLIS = 200;
/** As many of a kind as one answer can have. */
const FOUND_MAX = 1000;
const HITS_MAX = 100;

/** Where to look. */
type Sought = Pick<ExposeWish, 'host' | 'path' | 'nodes' | 'proxyServer'>;

export const proxyServers = searchResources('proxy-servers', {}, FOUND_MAX);
export const certificates = searchResources('certificates', {}, FOUND_MAX);

/** Returns what may be used again, as far as it is known while a person types. */
export function useExisting(sought: Sought): Existing {
  const [paused] = useDebouncedValue(sought, TYPING_PAUSE_MILLIS);
  const queries = queriesFor(paused);
  const routers = useQuery({ ...queries.routers, enabled: paused.proxyServer !== undefined }).data;
  const upstreams = useQuery({ ...queries.upstreams, enabled: paused.nodes.length > 0 }).data;
  const hits = useQuery(queries.hits).data;
  return {
    routers: routers?.items ?? [],
    upstreams: upstreams?.items ?? [],
    taken: new Set(hits?.items.map(({ id }) => id)),
  };
}

/** Returns what may be used again, as it is now. */
export async function loadExisting(client: QueryClient, sought: Sought): Promise<Existing> {
  const queries = queriesFor(sought);
  const [routers, upstreams, hits, servers] = await Promise.all([
    sought.proxyServer === undefined ? undefined : client.query({ ...queries.routers, staleTime: 0 }),
    client.query({ ...queries.upstreams, staleTime: 0 }),
    client.query({ ...queries.hits, staleTime: 0 }),
    client.query({ ...proxyServers, staleTime: 0 }),
  ]);
  return {
    routers: routers?.items ?? [],
    upstreams: upstreams.items,
    taken: new Set([...hits.items.map(({ id }) => id), ...servers.items.map(({ id }) => id ?? '')]),
  };
}

function queriesFor({ host, path, nodes, proxyServer }: Sought) {
  return {
    routers: searchResources(
      'routers',
      { proxyServerId: proxyServer?.id, ...(host === '' ? {} : { q: `host:${host}` }) },
      FOUND_MAX,
    ),
    upstreams: searchResources('upstreams', { q: `node:${nodes[0] ?? ''}`.slice(0, 256) }, FOUND_MAX),
    hits: search(baseIdOf({ host, path, nodes }), HITS_MAX),
  };
}

/** Whether somebody made a resource since that the plan would replace. */
export function replacesAnything(
  stations: readonly Station[],
  results: readonly Pick<OperationResult, 'kind' | 'id' | 'action'>[],
): boolean {
  return stations.some(
    ({ kind, id, what }) =>
      what === 'new' &&
      results.some(
        (result) => kindOf(result.kind) === kind && result.id === id && result.action !== 'CREATE',
      ),
  );
}
