import { queryOptions } from '@tanstack/react-query';
import type { ProxyPass, Revision } from '#client';
import { call } from '@/lib/api/client';
import { latestRevisions } from '@/lib/api/list-revisions';
import { resourceApis, type ListFilter, type Page } from '@/lib/api/resource-api';
import type { Kind, Resources } from '@/lib/kinds';
import { sharesOf, type Resourced } from '@/lib/topology';

/** The longest page that the contract allows. */
const PAGE_MAX = 1_000;
/** What is drawn while the rest is on its way. */
const FIRST_ITEMS = 200;
/** More than this of a kind are not drawn. */
const RESOURCES_MAX = 20_000;

export interface Loaded extends Resourced {
  /** False if there is more than was loaded. */
  readonly whole: boolean;
  /** The newest revision that was known before. */
  readonly revision: number | undefined;
  /** More is on its way. */
  readonly coming?: true;
}

const topologyKey = ['topology'];

/**
 * Everything on the ways of requests. It is not asked for again with each revision: its size decides how often. At the first time, the
 * beginning of each kind is there before the rest.
 */
export const getTopology = queryOptions({
  queryKey: topologyKey,
  queryFn: async ({ signal, client }): Promise<Loaded> => {
    const revision = client.getQueryData<readonly Revision[]>(latestRevisions.queryKey)?.[0]?.number;
    const [proxyServers, routers, routes, proxyPasses, upstreams] = await Promise.all([
      begin('proxy-servers', signal),
      begin('routers', signal),
      begin('routes', signal),
      begin('proxy-passes', signal),
      begin('upstreams', signal),
    ]);
    const begun = [proxyServers, routers, routes, proxyPasses, upstreams];
    const whole = begun.every((one) => one.whole);
    if (begun.some(({ coming }) => coming) && client.getQueryData(topologyKey) === undefined) {
      client.setQueryData<Loaded>(topologyKey, {
        proxyServers: proxyServers.first,
        routers: routers.first,
        routes: routes.first,
        proxyPasses: proxyPasses.first,
        upstreams: upstreams.first,
        whole,
        revision,
        coming: true,
      });
    }
    return {
      proxyServers: await proxyServers.all,
      routers: await routers.all,
      routes: await routes.all,
      proxyPasses: await proxyPasses.all,
      upstreams: await upstreams.all,
      whole,
      revision,
    };
  },
  staleTime: Infinity,
  // Nothing of a load is drawn again by itself, and it may have ten thousands of resources.
  structuralSharing: false,
});

interface Begun<R> {
  readonly first: readonly R[];
  readonly all: Promise<readonly R[]>;
  /** All has more than the first ones. */
  readonly coming: boolean;
  /** False if there is more than is loaded. */
  readonly whole: boolean;
}

/** The first few say how many there are; the others are asked for at once. */
async function begin<K extends Kind>(kind: K, signal: AbortSignal): Promise<Begun<Resources[K]>> {
  const load = async (offset: number, limit: number) => {
    const query = { sort: 'id', offset, limit };
    return (await call<Page<Resources[K]>>(resourceApis[kind].list(query, { signal }))).value;
  };
  const { items: first, total = first.length } = await load(0, FIRST_ITEMS);
  const pages = Math.max(0, Math.ceil((Math.min(total, RESOURCES_MAX) - FIRST_ITEMS) / PAGE_MAX));
  const rest = Promise.all(
    Array.from({ length: pages }, (_, page) => load(FIRST_ITEMS + page * PAGE_MAX, PAGE_MAX)),
  );
  const all = rest.then((parts) => {
    // Between two answers, what was created or deleted moves the rest.
    const items = [...first, ...parts.flatMap(({ items: some }) => some)];
    return [...new Map(items.map((item) => [item.id, item] as const)).values()];
  });
  // Whoever waits for the other kinds hears of a failure later.
  all.catch(() => undefined);
  return { first, all, coming: pages > 0, whole: total <= RESOURCES_MAX };
}

/** As many ids as the contract allows in one question. */
const IDS_MAX = 50;
/** Of so many resources, the ones that refer to them are asked for. */
const ASKED_MAX = 8;
const EACH_MAX = 25;

export type WayKind = 'proxy-servers' | 'routers' | 'proxy-passes' | 'upstreams';

/** What is on the ways through one resource, or the first of it. */
export function getWay(kind: WayKind, id: string) {
  return queryOptions({
    queryKey: ['resources', kind, 'way', id],
    queryFn: ({ signal }) => loadWay(kind, id, signal),
  });
}

async function loadWay(
  kind: WayKind,
  id: string,
  signal: AbortSignal,
): Promise<Omit<Loaded, 'revision' | 'coming'>> {
  let whole = true;
  const list = async <K extends Kind>(of: K, filter: ListFilter & { ids?: string }, limit: number) => {
    const { value } = await call<Page<Resources[K]>>(resourceApis[of].list({ ...filter, limit }, { signal }));
    whole &&= value.nextCursor === undefined;
    return value.items;
  };
  const byIds = async <K extends Kind>(of: K, ids: readonly string[]): Promise<readonly Resources[K][]> => {
    const wanted = [...new Set(ids)];
    whole &&= wanted.length <= IDS_MAX;
    return wanted.length === 0 ? [] : list(of, { ids: wanted.slice(0, IDS_MAX).join(',') }, IDS_MAX);
  };
  const routesOf = async (key: 'routerId' | 'proxyPassId', users: readonly { readonly id?: string }[]) => {
    whole &&= users.length <= ASKED_MAX;
    const asked = users.slice(0, ASKED_MAX).map((user) => list('routes', { [key]: user.id ?? '' }, EACH_MAX));
    return (await Promise.all(asked)).flat();
  };
  const ownRouters =
    kind === 'proxy-servers' ? await list('routers', { proxyServerId: id }, IDS_MAX) : undefined;
  const ownPasses =
    kind === 'upstreams' ? await list('proxy-passes', { upstreamId: id }, IDS_MAX) : undefined;
  const routes =
    kind === 'routers'
      ? await list('routes', { routerId: id }, IDS_MAX)
      : kind === 'proxy-passes'
        ? await list('routes', { proxyPassId: id }, IDS_MAX)
        : ownRouters !== undefined
          ? await routesOf('routerId', ownRouters)
          : await routesOf('proxyPassId', ownPasses ?? []);
  const here = (one: WayKind, others: readonly string[]) => (kind === one ? [id] : others);
  // Routers of TCP and TLS name their proxy passes themselves.
  const direct = kind === 'proxy-passes' ? await list('routers', { proxyPassId: id }, IDS_MAX) : [];
  const ofRoutes =
    ownRouters ??
    (await byIds(
      'routers',
      here(
        'routers',
        routes.map(({ routerId }) => routerId),
      ),
    ));
  const routers = [...ofRoutes, ...direct];
  const named = routers.flatMap(({ proxyPassId }) => (proxyPassId === undefined ? [] : [proxyPassId]));
  const proxyPasses =
    ownPasses ??
    (await byIds(
      'proxy-passes',
      here('proxy-passes', [...routes.map(({ proxyPassId }) => proxyPassId), ...named]),
    ));
  const [proxyServers, upstreams] = await Promise.all([
    byIds(
      'proxy-servers',
      here(
        'proxy-servers',
        routers.map(({ proxyServerId }) => proxyServerId),
      ),
    ),
    byIds('upstreams', here('upstreams', proxyPasses.flatMap(targetsOf))),
  ]);
  return { whole, proxyServers, routers, routes, proxyPasses, upstreams };
}

function targetsOf(pass: ProxyPass): readonly string[] {
  return sharesOf(pass).map(({ upstreamId }) => upstreamId);
}
