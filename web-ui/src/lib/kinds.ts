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
import { language, t } from '@/locales';

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
    get singular() {
      return t('proxy server');
    },
    get plural() {
      return t('proxy servers');
    },
    contractKind: ContractKind.ProxyServer,
    get meaning() {
      return t('A listener: address, protocol, TLS.');
    },
    switchable: true,
    refersTo: [],
    usedBy: [{ key: 'proxyServerId', kind: 'routers' }],
  },
  routers: {
    get singular() {
      return t('router');
    },
    get plural() {
      return t('routers');
    },
    contractKind: ContractKind.Router,
    get meaning() {
      return t('A group of routes for virtual hosts on a proxy server.');
    },
    switchable: true,
    refersTo: [
      { key: 'proxyServerId', kind: 'proxy-servers' },
      { key: 'proxyPassId', kind: 'proxy-passes' },
    ],
    usedBy: [{ key: 'routerId', kind: 'routes' }],
  },
  routes: {
    get singular() {
      return t('route');
    },
    get plural() {
      return t('routes');
    },
    contractKind: ContractKind.Route,
    get meaning() {
      return t('Conditions that select requests: path, methods, media types.');
    },
    switchable: true,
    refersTo: [
      { key: 'routerId', kind: 'routers' },
      { key: 'proxyPassId', kind: 'proxy-passes' },
    ],
    usedBy: [],
  },
  'proxy-passes': {
    get singular() {
      return t('proxy pass');
    },
    get plural() {
      return t('proxy passes');
    },
    contractKind: ContractKind.ProxyPass,
    get meaning() {
      return t('What to do with a matching request: forward it to an upstream, or redirect it.');
    },
    switchable: false,
    refersTo: [{ key: 'upstreamId', kind: 'upstreams' }],
    usedBy: [
      { key: 'proxyPassId', kind: 'routes' },
      { key: 'proxyPassId', kind: 'routers' },
    ],
  },
  upstreams: {
    get singular() {
      return t('upstream');
    },
    get plural() {
      return t('upstreams');
    },
    contractKind: ContractKind.Upstream,
    get meaning() {
      return t('A named set of nodes that answer requests.');
    },
    switchable: false,
    refersTo: [],
    usedBy: [{ key: 'upstreamId', kind: 'proxy-passes' }],
  },
  certificates: {
    get singular() {
      return t('certificate');
    },
    get plural() {
      return t('certificates');
    },
    contractKind: ContractKind.Certificate,
    get meaning() {
      return t('A TLS certificate of proxy servers, with its private key. Sigma never shows the key.');
    },
    switchable: false,
    refersTo: [],
    usedBy: [
      { key: 'certificates', kind: 'proxy-servers' },
      { key: 'certificateId', kind: 'upstreams' },
    ],
  },
  consumers: {
    get singular() {
      return t('consumer');
    },
    get plural() {
      return t('consumers');
    },
    contractKind: ContractKind.Consumer,
    get meaning() {
      return t('A user or program that sends requests, identified by keys, passwords or tokens.');
    },
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

/** English has articles; Chinese has none. */
export function withArticle(words: string): string {
  return language !== 'en' ? words : `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}

export function capitalized(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
