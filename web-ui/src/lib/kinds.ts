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
export type ReferenceKey = 'proxyServerId' | 'routerId' | 'proxyPassId' | 'upstreamId';

export interface Reference {
  readonly key: ReferenceKey;
  readonly kind: Kind;
}

export interface KindFacts {
  readonly singular: string;
  readonly plural: string;
  readonly contractKind: ContractKind;
  readonly meaning: string;
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
    refersTo: [],
    usedBy: [{ key: 'proxyServerId', kind: 'routers' }],
  },
  routers: {
    singular: 'router',
    plural: 'routers',
    contractKind: ContractKind.Router,
    meaning: 'A group of routes for virtual hosts on a proxy server.',
    refersTo: [{ key: 'proxyServerId', kind: 'proxy-servers' }],
    usedBy: [{ key: 'routerId', kind: 'routes' }],
  },
  routes: {
    singular: 'route',
    plural: 'routes',
    contractKind: ContractKind.Route,
    meaning: 'Conditions that select requests: path, methods, media types.',
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
    refersTo: [{ key: 'upstreamId', kind: 'upstreams' }],
    usedBy: [{ key: 'proxyPassId', kind: 'routes' }],
  },
  upstreams: {
    singular: 'upstream',
    plural: 'upstreams',
    contractKind: ContractKind.Upstream,
    meaning: 'A named set of nodes that answer requests.',
    refersTo: [],
    usedBy: [{ key: 'upstreamId', kind: 'proxy-passes' }],
  },
  certificates: {
    singular: 'certificate',
    plural: 'certificates',
    contractKind: ContractKind.Certificate,
    meaning: 'A TLS certificate of proxy servers, with its private key. Sigma never shows the key.',
    refersTo: [],
    usedBy: [],
  },
  consumers: {
    singular: 'consumer',
    plural: 'consumers',
    contractKind: ContractKind.Consumer,
    meaning: 'A user or program that sends requests, identified by keys, passwords or tokens.',
    refersTo: [],
    usedBy: [],
  },
};

export const allKinds = Object.keys(kinds) as readonly Kind[];

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

export function withArticle(words: string): string {
  return `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}

export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
