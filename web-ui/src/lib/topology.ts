import type { ProxyPass, ProxyServer, Route, Router, TrafficFigures, Upstream } from '#client';
import { percent } from '@/lib/figures';
import { listed, many, t } from '@/locales';

/** The lanes of the drawing, in the order in which a request meets them. */
export const lanes = ['proxy-servers', 'routers', 'routes', 'proxy-passes', 'upstreams', 'nodes'] as const;
export type Lane = (typeof lanes)[number];

/** Asks for each lane, in their order. */
export function perLane<T>(of: (lane: Lane) => T): Readonly<Record<Lane, T>> {
  return {
    'proxy-servers': of('proxy-servers'),
    routers: of('routers'),
    routes: of('routes'),
    'proxy-passes': of('proxy-passes'),
    upstreams: of('upstreams'),
    nodes: of('nodes'),
  };
}

/** One box of a lane. */
export interface Stop {
  /** Unlike that of any other stop of any lane. */
  readonly key: string;
  readonly lane: Lane;
  /** The id of the resource; the URL of a node. */
  readonly id: string;
  readonly detail: string;
  /** It is disabled or out of service. */
  readonly off: boolean;
  /** The upstreams that a node belongs to; empty for other stops. */
  readonly upstreamIds: readonly string[];
  /** What is counted of it; requests where nothing is said. */
  readonly counts?: 'connections' | 'sessions' | undefined;
}

export interface Line {
  readonly from: string;
  readonly to: string;
  /** Of the two ends the one whose requests, or a share of them, come along. */
  readonly of: string;
  /** By the configuration, 0 to 1. */
  readonly share: number;
}

export interface Topology {
  readonly stops: ReadonlyMap<string, Stop>;
  /** The keys of each lane, in an order in which few lines cross. */
  readonly order: Readonly<Record<Lane, readonly string[]>>;
  readonly next: ReadonlyMap<string, readonly Line[]>;
  readonly before: ReadonlyMap<string, readonly Line[]>;
}

/** What the drawing is made of. Resources need not be complete: what nothing is known of is drawn with its id alone. */
export interface Resourced {
  readonly proxyServers: readonly ProxyServer[];
  readonly routers: readonly Router[];
  readonly routes: readonly Route[];
  readonly proxyPasses: readonly ProxyPass[];
  readonly upstreams: readonly Upstream[];
}

export function keyOf(lane: Lane, id: string): string {
  return `${lane} ${id}`;
}

export function topologyOf({ proxyServers, routers, routes, proxyPasses, upstreams }: Resourced): Topology {
  const stops = new Map<string, Stop>();
  const next = new Map<string, Line[]>();
  const before = new Map<string, Line[]>();
  const stop = (lane: Lane, id: string, detail: string, off = false, counts?: Stop['counts']) => {
    stops.set(keyOf(lane, id), { key: keyOf(lane, id), lane, id, detail, off, upstreamIds: [], counts });
  };
  const line = (from: string, to: string, of = from, share = 1) => {
    const one = { from, to, of, share };
    addTo(next, from, one);
    addTo(before, to, one);
  };
  const named = (lane: Lane, id: string) => {
    if (!stops.has(keyOf(lane, id))) {
      stop(lane, id, '');
    }
    return keyOf(lane, id);
  };
  for (const server of proxyServers) {
    stop('proxy-servers', server.id ?? '', listenerOf(server), server.enabled === false, countsOf(server));
  }
  for (const router of routers) {
    const server = stops.get(keyOf('proxy-servers', router.proxyServerId));
    stop('routers', router.id ?? '', hostsOf(router), router.enabled === false, server?.counts);
    const key = keyOf('routers', router.id ?? '');
    line(named('proxy-servers', router.proxyServerId), key, key);
  }
  for (const route of routes) {
    const methods = route.methods ?? [];
    const words = methods.length === 0 ? route.path : `${methods.join(', ')} ${route.path}`;
    stop('routes', route.id ?? '', words, route.enabled === false);
    const key = keyOf('routes', route.id ?? '');
    line(named('routers', route.routerId), key, key);
  }
  for (const pass of proxyPasses) {
    stop('proxy-passes', pass.id ?? '', doesOf(pass));
  }
  for (const route of routes) {
    line(keyOf('routes', route.id ?? ''), named('proxy-passes', route.proxyPassId));
  }
  for (const { id = '', proxyPassId } of routers) {
    if (proxyPassId !== undefined) {
      line(keyOf('routers', id), named('proxy-passes', proxyPassId));
    }
  }
  for (const { id = '', nodes = [] } of upstreams) {
    stop('upstreams', id, many(nodes.length, '{count} node', '{count} nodes'));
  }
  for (const pass of proxyPasses) {
    for (const { upstreamId, share } of sharesOf(pass)) {
      const key = keyOf('proxy-passes', pass.id ?? '');
      line(key, named('upstreams', upstreamId), key, share);
    }
  }
  for (const upstream of upstreams) {
    const { id = '', nodes = [] } = upstream;
    const shares = nodeSharesOf(upstream);
    for (const { url, down, drain } of nodes) {
      const key = keyOf('nodes', url);
      const known = stops.get(key);
      stops.set(key, {
        key,
        lane: 'nodes',
        id: url,
        detail: '',
        off: (known?.off ?? true) && (down === true || drain === true),
        upstreamIds: [...(known?.upstreamIds ?? []), id],
      });
      const from = keyOf('upstreams', id);
      line(from, key, from, shares.get(url) ?? 1 / nodes.length);
    }
  }
  return { stops, order: orderOf(stops, next), next, before };
}

/** Follows the lines from the left, so that what belongs together stands together. */
function orderOf(
  stops: ReadonlyMap<string, Stop>,
  next: ReadonlyMap<string, readonly Line[]>,
): Readonly<Record<Lane, readonly string[]>> {
  const all = [...stops.values()];
  // What was met stays until its lane comes: a router of connections leads to a proxy pass, past the lane of the routes.
  const met = new Set<string>();
  return perLane((lane) => {
    const isHere = (key: string) => stops.get(key)?.lane === lane;
    const first = [...met].filter(isHere);
    const rest = all.filter(({ key }) => isHere(key) && !met.has(key)).map(({ key }) => key);
    const order = [...first, ...rest];
    for (const { to } of order.flatMap((key) => next.get(key) ?? [])) {
      met.add(to);
    }
    return order;
  });
}

function addTo(lists: Map<string, Line[]>, key: string, line: Line): void {
  const list = lists.get(key);
  if (list === undefined) {
    lists.set(key, [line]);
  } else {
    list.push(line);
  }
}

/** Returns these stops, all from which requests come to them, and all to which theirs go. */
export function connectedTo({ next, before }: Topology, keys: Iterable<string>): ReadonlySet<string> {
  const from = [...keys];
  return new Set([...reached(from, before, ({ from: key }) => key), ...reached(from, next, ({ to }) => to)]);
}

function reached(
  from: readonly string[],
  lines: ReadonlyMap<string, readonly Line[]>,
  endOf: (line: Line) => string,
): ReadonlySet<string> {
  const found = new Set(from);
  // A set that grows while it is gone through gives what is added, too.
  for (const key of found) {
    for (const line of lines.get(key) ?? []) {
      found.add(endOf(line));
    }
  }
  return found;
}

/** Returns the part of a topology that these stops and the lines between them are. */
export function cutTo({ stops, order, next, before }: Topology, keys: ReadonlySet<string>): Topology {
  const kept = (lines: ReadonlyMap<string, readonly Line[]>) =>
    new Map(
      [...lines]
        .filter(([key]) => keys.has(key))
        .map(([key, some]) => [key, some.filter(({ from, to }) => keys.has(from) && keys.has(to))] as const),
    );
  return {
    stops: new Map([...stops].filter(([key]) => keys.has(key))),
    order: perLane((lane) => order[lane].filter((key) => keys.has(key))),
    next: kept(next),
    before: kept(before),
  };
}

/** Returns the stops whose id or detail contains each word. */
export function matching({ stops }: Topology, text: string): readonly string[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return [...stops.values()]
    .filter(({ id, detail }) => {
      const searched = `${id} ${detail}`.toLowerCase();
      return words.every((word) => searched.includes(word));
    })
    .map(({ key }) => key);
}

/** Requests and how many of them failed, as far as it was reported. */
export interface Flow {
  readonly requests: number;
  readonly failed: number;
}

export const noFlow: Flow = { requests: 0, failed: 0 };

export function added(a: Flow, b: Flow): Flow {
  return { requests: a.requests + b.requests, failed: a.failed + b.failed };
}

export function flowOf({ requests, status5xx, unanswered }: TrafficFigures): Flow {
  return { requests, failed: status5xx + unanswered };
}

/** What came through each stop. A stop that is missing had no requests, or its requests were not among the reported ones. */
export function flowsOf(
  topology: Topology,
  routes: ReadonlyMap<string, Flow>,
  upstreams: ReadonlyMap<string, Flow>,
): ReadonlyMap<string, Flow> {
  const { order, before, next } = topology;
  const flows = new Map<string, Flow>();
  const add = (key: string, flow: Flow) => flows.set(key, added(flows.get(key) ?? noFlow, flow));
  for (const [id, flow] of routes) {
    const key = keyOf('routes', id);
    add(key, flow);
    for (const { from } of before.get(key) ?? []) {
      add(from, flow);
      for (const server of before.get(from) ?? []) {
        add(server.from, flow);
      }
    }
    for (const { to } of next.get(key) ?? []) {
      add(to, flow);
    }
  }
  for (const key of order.upstreams) {
    const flow = upstreams.get(key.slice('upstreams '.length));
    if (flow !== undefined) {
      add(key, flow);
      for (const line of next.get(key) ?? []) {
        // Which node answered how often is not reported.
        add(line.to, flowAlong(line, flows));
      }
    }
  }
  addStreams(topology, flows, add);
  return flows;
}

/**
 * Gives routers of connections and of datagrams what came to upstreams to which they alone lead: they are not counted by themselves, and
 * have no routes.
 */
function addStreams(
  { order, before, next }: Topology,
  flows: ReadonlyMap<string, Flow>,
  add: (key: string, flow: Flow) => void,
): void {
  const only = (lines: readonly Line[] | undefined) => lines?.length === 1;
  for (const router of order.routers) {
    for (const { to: pass } of next.get(router) ?? []) {
      if (pass.startsWith('proxy-passes ') && only(before.get(pass))) {
        for (const { to: upstream } of next.get(pass) ?? []) {
          const flow = flows.get(upstream);
          if (flow !== undefined && only(before.get(upstream))) {
            [pass, router, ...(before.get(router) ?? []).map(({ from }) => from)].forEach((key) =>
              add(key, flow),
            );
          }
        }
      }
    }
  }
}

/** Returns what comes along a line. */
export function flowAlong({ of, share }: Line, flows: ReadonlyMap<string, Flow>): Flow {
  const { requests, failed } = flows.get(of) ?? noFlow;
  return { requests: requests * share, failed: failed * share };
}

/** How bad a share of failures is. */
export function gravityOf({ requests, failed }: Flow): 'none' | 'good' | 'some' | 'bad' {
  if (requests === 0) {
    return 'none';
  }
  return failed === 0 ? 'good' : failed >= requests * BAD_SHARE ? 'bad' : 'some';
}

const BAD_SHARE = 0.05;

function listenerOf({ protocol, host, port }: ProxyServer): string {
  const anywhere = host === undefined || host === '0.0.0.0' || host === '::';
  const values = { protocol: protocol ?? 'HTTP', port };
  return anywhere
    ? t('{protocol} on port {port}', values)
    : t('{protocol} on port {port} of {host}', { ...values, host });
}

function countsOf({ protocol }: ProxyServer): Stop['counts'] {
  return protocol === 'UDP'
    ? 'sessions'
    : protocol === 'TCP' || protocol === 'TLS'
      ? 'connections'
      : undefined;
}

function hostsOf({ hosts = [] }: Router): string {
  return hosts.length === 0 ? t('any host') : hosts.join(', ');
}

function doesOf(pass: ProxyPass): string {
  const { stripPrefix, addPrefix, mirror } = pass;
  return listed([
    targetOf(pass),
    ...(stripPrefix === undefined ? [] : [t('removes {prefix}', { prefix: stripPrefix })]),
    ...(addPrefix === undefined ? [] : [t('adds {prefix}', { prefix: addPrefix })]),
    ...(mirror === undefined ? [] : [t('copies to {upstream}', { upstream: mirror.upstreamId })]),
  ]);
}

export interface UpstreamShare {
  readonly upstreamId: string;
  /** Of the requests, 0 to 1. */
  readonly share: number;
}

/** Returns how a proxy pass spreads requests over upstreams; none if it forwards nothing. */
export function sharesOf({ upstreamId, split }: ProxyPass): readonly UpstreamShare[] {
  if (upstreamId !== undefined) {
    return [{ upstreamId, share: 1 }];
  }
  const targets = split?.targets ?? [];
  const sum = targets.reduce((before, { weight }) => before + weight, 0);
  return targets.map((target) => ({
    upstreamId: target.upstreamId,
    share: sum === 0 ? 0 : target.weight / sum,
  }));
}

/** Returns the share of each node by the configuration; undefined where the choice depends on more. */
export function nodeSharesOf({ nodes = [], balancing, hash }: Upstream): ReadonlyMap<string, number> {
  const weighted = balancing !== undefined && balancing !== 'ROUND_ROBIN';
  const serving = nodes.filter(
    ({ down, drain, backup }) => down !== true && drain !== true && backup !== true,
  );
  const weightOf = (weight: number | undefined) => (weighted ? (weight ?? 1) : 1);
  const sum = serving.reduce((before, { weight }) => before + weightOf(weight), 0);
  const measured =
    balancing === 'LEAST_REQUESTS' || balancing === 'PEAK_EWMA' || balancing === 'BEST_AVAILABLE';
  return measured || hash !== undefined || sum === 0
    ? new Map()
    : new Map(
        nodes.map((node) => [node.url, serving.includes(node) ? weightOf(node.weight) / sum : 0] as const),
      );
}

/** Returns in a few words where a proxy pass leads. */
export function targetOf(pass: ProxyPass): string {
  const { redirect, fixedResponse, staticFiles } = pass;
  if (redirect !== undefined) {
    return t('redirect {status} to {location}', {
      status: redirect.status ?? 302,
      location: redirect.location,
    });
  }
  if (staticFiles !== undefined) {
    return t('files of {path}', { path: staticFiles.rootPath });
  }
  if (fixedResponse !== undefined) {
    return t('answer {status}', { status: fixedResponse.status ?? 200 });
  }
  const shares = sharesOf(pass);
  return shares
    .map(({ upstreamId, share }) => (shares.length === 1 ? upstreamId : `${percent(share, 1)} ${upstreamId}`))
    .join(', ');
}
