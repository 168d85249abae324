import {
  Kind as ContractKind,
  type Certificate,
  type Consumer,
  type ProxyPass,
  type ProxyServer,
  type Route,
  type Router,
  type Upstream,
} from '#client';

/** The kinds of resource, by their path segment in the API and in the dashboard's own addresses. */
export interface Resources {
  'proxy-servers': ProxyServer;
  routers: Router;
  routes: Route;
  'proxy-passes': ProxyPass;
  upstreams: Upstream;
  certificates: Certificate;
  consumers: Consumer;
}
export type Kind = keyof Resources;

/** The query parameters that narrow a list to what refers to one resource. */
export type ReferenceKey =
  'proxyServerId' | 'routerId' | 'proxyPassId' | 'upstreamId' | 'certificates' | 'certificateId';

export interface Reference {
  readonly key: ReferenceKey;
  readonly kind: Kind;
}

export interface KindFacts {
  readonly singular: string;
  readonly plural: string;
  readonly contractKind: ContractKind;
  readonly meaning: string;
  /** It can be kept without being used. */
  readonly switchable: boolean;
  /** What a resource of this kind names. */
  readonly refersTo: readonly Reference[];
  /** The kinds that name a resource of this kind, each with the key by which they do. */
  readonly usedBy: readonly Reference[];
}

/** In the order in which a request meets them. */
export const kinds: Readonly<Record<Kind, KindFacts>> = {
  'proxy-servers': {
    singular: 'proxy server',
    plural: 'proxy servers',
    contractKind: ContractKind.ProxyServer,
    meaning: 'A listener: address, protocol, TLS.',
    switchable: true,
    refersTo: [],
    usedBy: [{ key: 'proxyServerId', kind: 'routers' }],
  },
  routers: {
    singular: 'router',
    plural: 'routers',
    contractKind: ContractKind.Router,
    meaning: 'A group of routes for virtual hosts on a proxy server.',
    switchable: true,
    refersTo: [
      { key: 'proxyServerId', kind: 'proxy-servers' },
      { key: 'proxyPassId', kind: 'proxy-passes' },
    ],
    usedBy: [{ key: 'routerId', kind: 'routes' }],
  },
  routes: {
    singular: 'route',
    plural: 'routes',
    contractKind: ContractKind.Route,
    meaning: 'Conditions that select requests: path, methods, media types.',
    switchable: true,
    refersTo: [
      { key: 'routerId', kind: 'routers' },
      { key: 'proxyPassId', kind: 'proxy-passes' },
    ],
    usedBy: [],
  },
  'proxy-passes': {
    singular: 'proxy pass',
    plural: 'proxy passes',
    contractKind: ContractKind.ProxyPass,
    meaning: 'What to do with a matching request: forward it to an upstream, or redirect it.',
    switchable: false,
    refersTo: [{ key: 'upstreamId', kind: 'upstreams' }],
    usedBy: [
      { key: 'proxyPassId', kind: 'routes' },
      { key: 'proxyPassId', kind: 'routers' },
    ],
  },
  upstreams: {
    singular: 'upstream',
    plural: 'upstreams',
    contractKind: ContractKind.Upstream,
    meaning: 'A named set of nodes that answer requests.',
    switchable: false,
    refersTo: [],
    usedBy: [{ key: 'upstreamId', kind: 'proxy-passes' }],
  },
  certificates: {
    singular: 'certificate',
    plural: 'certificates',
    contractKind: ContractKind.Certificate,
    meaning: 'A TLS certificate of proxy servers, with its private key. Sigma never shows the key.',
    switchable: false,
    refersTo: [],
    usedBy: [
      { key: 'certificates', kind: 'proxy-servers' },
      { key: 'certificateId', kind: 'upstreams' },
    ],
  },
  consumers: {
    singular: 'consumer',
    plural: 'consumers',
    contractKind: ContractKind.Consumer,
    meaning: 'A user or program that sends requests, identified by keys, passwords or tokens.',
    switchable: true,
    refersTo: [],
    usedBy: [],
  },
};

export const allKinds = Object.keys(kinds) as readonly Kind[];

/** What a list of this kind can be narrowed by: all that its resources may name. */
export function narrowedBy(kind: Kind): readonly Reference[] {
  return allKinds.flatMap((target) =>
    kinds[target].usedBy.filter((user) => user.kind === kind).map(({ key }) => ({ key, kind: target })),
  );
}

/** The kinds that lead a request to a node, in the order in which a request meets them: one of each, and traffic flows. */
export const trafficKinds = [
  'proxy-servers',
  'routers',
  'routes',
  'proxy-passes',
  'upstreams',
] as const satisfies readonly Kind[];

export function isKind(text: string): text is Kind {
  return Object.hasOwn(kinds, text);
}

export function kindOf(contractKind: ContractKind): Kind {
  const found = allKinds.find((kind) => kinds[kind].contractKind === contractKind);
  if (found === undefined) {
    throw new Error(`kind: ${contractKind} (expected: a kind of the contract)`);
  }
  return found;
}

/** Returns the name of the list of a kind in the whole state: `proxyServers`. */
export function listNameOf(kind: Kind): string {
  return kind.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function withArticle(words: string): string {
  return `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}

export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
