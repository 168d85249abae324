import type { BatchOperation, Certificate, Consumer, ProxyServer, Route, Router, Upstream } from '#client';
import { kinds, type Kind } from '@/lib/kinds';

/** What a person wants to reach, and how. */
export interface ExposeWish {
  readonly nodes: readonly string[];
  /** Any host when it is empty. */
  readonly host: string;
  readonly path: string;
  /** The node receives the path without the prefix that the route has. */
  readonly stripPrefix: boolean;
  readonly https: boolean;
  /** Undefined makes a new proxy server on the port. */
  readonly proxyServer: ProxyServer | undefined;
  readonly port: number;
  readonly certificate: CertificateChoice;
  /** The key that requests must carry; undefined lets all in. */
  readonly key: string | undefined;
  /** What new resources have to carry, where a token is restricted to them. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

export type CertificateChoice =
  /** What the proxy server presents by itself. */
  | { readonly how: 'presented' }
  | { readonly how: 'existing'; readonly id: string }
  | { readonly how: 'new'; readonly chain: string; readonly privateKey: string };

/** What exists already and may be used again. */
export interface Existing {
  /** Those of the proxy server. */
  readonly routers: readonly Router[];
  readonly upstreams: readonly Upstream[];
  /** Ids that new resources cannot have. */
  readonly taken: ReadonlySet<string>;
}

export interface Station {
  readonly kind: Kind;
  readonly id: string;
  readonly what: 'new' | 'used' | 'changed';
}

export interface ExposePlan {
  readonly operations: readonly BatchOperation[];
  /** In the order in which a request meets them. */
  readonly stations: readonly Station[];
  readonly routeId: string;
  readonly route: Route;
  readonly router: Router;
  readonly proxyServer: ProxyServer;
}

/** Returns the id that new resources get, before a number makes it one of its own. */
export function baseIdOf({ host, path, nodes }: Pick<ExposeWish, 'host' | 'path' | 'nodes'>): string {
  const [label = ''] = host.replace(/^\*\./, '').split('.');
  const words = [label, ...path.split('/')]
    .map((word) => word.toLowerCase().replaceAll(/[^a-z0-9]+/g, ''))
    .filter((word) => word !== '');
  const [node = ''] = nodes;
  const nodeName = /^\w+:\/\/([a-z][a-z0-9-]*)/i.exec(node)?.[1]?.toLowerCase();
  return (words.length > 0 ? words.join('-') : (nodeName ?? 'service')).slice(0, 60);
}

/** Returns an address as the contract has it: a scheme is added where a person left it out. */
export function nodeUrlOf(typed: string): string {
  const text = typed.trim();
  return text === '' || /^\w+:\/\//.test(text) ? text : `http://${text}`;
}

/** Returns what the node's path lacks with `stripPrefix`; undefined where the route has no such prefix. */
export function prefixOf(path: string): string | undefined {
  return /^((?:\/[^/:*~]+)+)\/\*$/.exec(path)?.[1];
}

/** Returns what to do so that the wish holds: everything that exists is used again where it fits. */
export function planOf(wish: ExposeWish, existing: Existing): ExposePlan {
  const base = freeId(baseIdOf(wish), existing.taken);
  const server = serverOf(wish, existing.taken, base);
  const usedRouter =
    wish.proxyServer && existing.routers.find((router) => serves(router, server.id, wish.host));
  const router: Router = usedRouter ?? {
    id: base,
    proxyServerId: server.id,
    ...(wish.host === '' ? {} : { hosts: [wish.host] }),
  };
  const usedUpstream = existing.upstreams.find((upstream) => hasNodes(upstream, wish.nodes));
  const upstreamId = usedUpstream?.id ?? base;
  const prefix = wish.stripPrefix ? prefixOf(wish.path) : undefined;
  const route: Route = {
    id: base,
    routerId: router.id ?? base,
    path: wish.path,
    proxyPassId: base,
    ...(wish.key === undefined ? {} : { plugins: { keyAuth: {} } }),
  };
  const upstream: Upstream = { nodes: wish.nodes.map((url) => ({ url })) };
  const consumer: Consumer = { apiKeys: [{ name: 'first', key: wish.key }] };
  const passBody = { upstreamId, ...(prefix === undefined ? {} : { stripPrefix: prefix }) };
  const certificate = certificateOf(wish, base);
  const created: readonly (readonly [Kind, string, object | undefined])[] = [
    ['certificates', base, certificate],
    ['proxy-servers', server.id, wish.proxyServer === undefined ? bodyOf(server) : undefined],
    ['routers', router.id ?? base, usedRouter === undefined ? bodyOf(router) : undefined],
    ['routes', base, bodyOf(route)],
    ['proxy-passes', base, passBody],
    ['upstreams', upstreamId, usedUpstream === undefined ? upstream : undefined],
    ['consumers', base, wish.key === undefined ? undefined : consumer],
  ];
  const certificateIds = certificatesToAdd(wish, base);
  const operations: BatchOperation[] = created.flatMap(([kind, id, body]) =>
    body === undefined
      ? []
      : [
          {
            action: 'PUT' as const,
            kind: kinds[kind].contractKind,
            id,
            body: wish.labels === undefined ? body : { ...body, labels: wish.labels },
          },
        ],
  );
  if (certificateIds !== undefined) {
    operations.push({
      action: 'PATCH',
      kind: kinds['proxy-servers'].contractKind,
      id: server.id,
      body: { tls: { certificates: certificateIds } },
    });
  }
  const stations = created.flatMap(([kind, id, body]): readonly Station[] => {
    if (body !== undefined) {
      return [{ kind, id, what: 'new' }];
    }
    if (kind === 'proxy-servers') {
      return [{ kind, id, what: certificateIds === undefined ? 'used' : 'changed' }];
    }
    if (kind === 'certificates') {
      return wish.https && wish.certificate.how === 'existing'
        ? [{ kind, id: wish.certificate.id, what: 'used' }]
        : [];
    }
    return kind === 'consumers' ? [] : [{ kind, id, what: 'used' }];
  });
  return { operations, stations, routeId: base, route, router, proxyServer: server };
}

function serverOf(
  { proxyServer, https, port, certificate }: ExposeWish,
  taken: ReadonlySet<string>,
  base: string,
): ProxyServer & { readonly id: string } {
  if (proxyServer?.id !== undefined) {
    return { ...proxyServer, id: proxyServer.id };
  }
  const id = freeId(https ? 'web-tls' : 'web', taken);
  if (!https) {
    return { id, port };
  }
  const certificates =
    certificate.how === 'existing' ? [certificate.id] : certificate.how === 'new' ? [base] : [];
  return { id, port, protocol: 'HTTPS', tls: { certificates } };
}

function certificateOf({ https, certificate }: ExposeWish, id: string): Certificate | undefined {
  return https && certificate.how === 'new'
    ? { name: id, chain: certificate.chain, privateKey: certificate.privateKey }
    : undefined;
}

/** Returns the list that an existing proxy server needs; undefined where it presents the certificate without a change. */
function certificatesToAdd(
  { https, proxyServer, certificate }: ExposeWish,
  base: string,
): readonly string[] | undefined {
  if (!https || proxyServer === undefined || certificate.how === 'presented') {
    return undefined;
  }
  const wanted = certificate.how === 'existing' ? certificate.id : base;
  const { certificates = [], certPath } = proxyServer.tls ?? {};
  // An empty list stands for all certificates, unless a file is set.
  const present = certificates.includes(wanted) || (certificates.length === 0 && certPath === undefined);
  return present ? undefined : [...certificates, wanted];
}

function serves({ proxyServerId, hosts = [], enabled }: Router, serverId: string, host: string): boolean {
  return (
    enabled !== false &&
    proxyServerId === serverId &&
    (host === '' ? hosts.length === 0 : hosts.some((one) => one.toLowerCase() === host.toLowerCase()))
  );
}

/** Whether all requests to the upstream go to just these nodes. */
function hasNodes({ nodes = [], discovery }: Upstream, urls: readonly string[]): boolean {
  const plain = nodes.every(({ down, drain, backup }) => down !== true && drain !== true && backup !== true);
  const known = nodes.map(({ url }) => url).sort();
  return (
    discovery === undefined &&
    plain &&
    known.length === urls.length &&
    [...urls].sort().every((url, index) => url === known[index])
  );
}

/** Without the id, which is beside the body. */
function bodyOf(resource: { readonly id?: string }): object {
  return Object.fromEntries(Object.entries(resource).filter(([name]) => name !== 'id'));
}

function freeId(wanted: string, taken: ReadonlySet<string>): string {
  let id = wanted;
  for (let number = 2; taken.has(id); number++) {
    id = `${wanted}-${number}`;
  }
  return id;
}

/** Whether a certificate with these names is one for the host. */
export function covers(names: readonly string[], host: string): boolean {
  const wanted = host.toLowerCase();
  return names.some((name) => {
    const known = name.toLowerCase();
    return known === wanted || (known.startsWith('*.') && wanted.replace(/^[^.]+/, '*') === known);
  });
}
