import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Route, ServerTls } from '#client';
import type { ListContext } from '@/features/resources/list-columns';
import { getTopTraffic, noTraffic, TRAFFIC_POLL_MILLIS } from '@/lib/api/get-traffic';
import { searchResources } from '@/lib/api/search-resources';
import { useResourcesById } from '@/lib/api/resources-by-id';
import type { Kind, Resources } from '@/lib/kinds';
import { useFallBackInterval } from '@/lib/liveness';

/** The longest report that the contract allows. */
const RANKS_MAX = 100;
const SERVERS_MAX = 1000;

/** Returns what the columns of a list show beside its rows. */
export function useListContext<K extends Kind>(kind: K, rows: readonly Resources[K][]): ListContext {
  const subject = kind === 'upstreams' ? 'upstream' : 'route';
  const refetchInterval = useFallBackInterval(TRAFFIC_POLL_MILLIS.hour);
  const { data: ranks } = useQuery({
    ...getTopTraffic(subject, 'hour', 'requests', RANKS_MAX),
    refetchInterval,
    enabled: kind === 'routes' || kind === 'upstreams',
  });
  const { data: servers } = useQuery({
    ...searchResources('proxy-servers', {}, SERVERS_MAX),
    enabled: kind === 'certificates',
  });
  const routes = kind === 'routes' ? (rows as readonly Route[]) : [];
  const routers = useResourcesById(
    'routers',
    routes.map(({ routerId }) => routerId),
  );
  const passes = useResourcesById(
    'proxy-passes',
    routes.map(({ proxyPassId }) => proxyPassId),
  );
  // The rows are rendered again when it is another one.
  return useMemo(() => {
    const figures = new Map(ranks?.map((rank) => [rank.id, rank.figures]));
    return {
      routers,
      passes,
      usersOf: (certificate) =>
        (servers?.items ?? []).flatMap(({ id, tls }) => (presents(tls, certificate) ? [id ?? ''] : [])),
      // Where the report is whole, what is not in it had no requests.
      figuresOf: (id) =>
        figures.get(id) ?? (ranks !== undefined && ranks.length < RANKS_MAX ? noTraffic : undefined),
    };
  }, [routers, passes, servers, ranks]);
}

/** A proxy server that names no certificate and no file presents all of them. */
function presents(tls: ServerTls | undefined, certificate: string): boolean {
  const { certificates = [], defaultCertificateId, certPath } = tls ?? {};
  return (
    tls !== undefined &&
    (certificates.includes(certificate) ||
      defaultCertificateId === certificate ||
      (certificates.length === 0 && certPath === undefined))
  );
}
