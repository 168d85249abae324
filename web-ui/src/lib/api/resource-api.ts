import type { ApiResponse, Deleted, RevisionResult } from '#client';
import { api } from '@/lib/api/client';
import type { Kind, ReferenceKey, Resources } from '@/lib/kinds';

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
  /** How many items there are on all pages, where a list is ordered. */
  readonly total?: number;
}

export interface Written<T> {
  readonly resource: T;
  readonly revision: RevisionResult;
}

export type ListFilter = Partial<Record<'q' | 'name' | ReferenceKey, string>>;
export type ListQuery = ListFilter & {
  cursor?: string;
  limit?: number;
  sort?: string;
  offset?: number;
  ids?: string;
};
export interface WriteOptions {
  readonly ifMatch?: string;
  readonly message?: string;
  readonly idempotencyKey: string;
  readonly wait: 'all';
  readonly timeout: string;
}

/** One face for the kinds of the generated client. */
export interface ResourceApi<T> {
  list(query: ListQuery, init: RequestInit): Promise<ApiResponse<Page<T>>>;
  get(id: string, init: RequestInit): Promise<ApiResponse<T>>;
  create(resource: T, options: WriteOptions): Promise<ApiResponse<Written<T>>>;
  put(id: string, resource: T, options: WriteOptions): Promise<ApiResponse<Written<T>>>;
  remove(id: string, options: WriteOptions): Promise<ApiResponse<Deleted>>;
}

export const resourceApis: { readonly [K in Kind]: ResourceApi<Resources[K]> } = {
  'proxy-servers': {
    list: (query, init) => api.proxyServers.listProxyServersRaw(query, init),
    get: (id, init) => api.proxyServers.getProxyServerRaw({ id }, init),
    create: (proxyServer, options) => api.proxyServers.createProxyServerRaw({ proxyServer, ...options }),
    put: (id, proxyServer, options) => api.proxyServers.putProxyServerRaw({ id, proxyServer, ...options }),
    remove: (id, options) => api.proxyServers.deleteProxyServerRaw({ id, ...options }),
  },
  routers: {
    list: (query, init) => api.routers.listRoutersRaw(query, init),
    get: (id, init) => api.routers.getRouterRaw({ id }, init),
    create: (router, options) => api.routers.createRouterRaw({ router, ...options }),
    put: (id, router, options) => api.routers.putRouterRaw({ id, router, ...options }),
    remove: (id, options) => api.routers.deleteRouterRaw({ id, ...options }),
  },
  routes: {
    list: (query, init) => api.routes.listRoutesRaw(query, init),
    get: (id, init) => api.routes.getRouteRaw({ id }, init),
    create: (route, options) => api.routes.createRouteRaw({ route, ...options }),
    put: (id, route, options) => api.routes.putRouteRaw({ id, route, ...options }),
    remove: (id, options) => api.routes.deleteRouteRaw({ id, ...options }),
  },
  'proxy-passes': {
    list: (query, init) => api.proxyPasses.listProxyPassesRaw(query, init),
    get: (id, init) => api.proxyPasses.getProxyPassRaw({ id }, init),
    create: (proxyPass, options) => api.proxyPasses.createProxyPassRaw({ proxyPass, ...options }),
    put: (id, proxyPass, options) => api.proxyPasses.putProxyPassRaw({ id, proxyPass, ...options }),
    remove: (id, options) => api.proxyPasses.deleteProxyPassRaw({ id, ...options }),
  },
  upstreams: {
    list: (query, init) => api.upstreams.listUpstreamsRaw(query, init),
    get: (id, init) => api.upstreams.getUpstreamRaw({ id }, init),
    create: (upstream, options) => api.upstreams.createUpstreamRaw({ upstream, ...options }),
    put: (id, upstream, options) => api.upstreams.putUpstreamRaw({ id, upstream, ...options }),
    remove: (id, options) => api.upstreams.deleteUpstreamRaw({ id, ...options }),
  },
  certificates: {
    list: (query, init) => api.certificates.listCertificatesRaw(query, init),
    get: (id, init) => api.certificates.getCertificateRaw({ id }, init),
    create: (certificate, options) => api.certificates.createCertificateRaw({ certificate, ...options }),
    put: (id, certificate, options) => api.certificates.putCertificateRaw({ id, certificate, ...options }),
    remove: (id, options) => api.certificates.deleteCertificateRaw({ id, ...options }),
  },
  consumers: {
    list: (query, init) => api.consumers.listConsumersRaw(query, init),
    get: (id, init) => api.consumers.getConsumerRaw({ id }, init),
    create: (consumer, options) => api.consumers.createConsumerRaw({ consumer, ...options }),
    put: (id, consumer, options) => api.consumers.putConsumerRaw({ id, consumer, ...options }),
    remove: (id, options) => api.consumers.deleteConsumerRaw({ id, ...options }),
  },
};

/** The form waits for the gateways, so that the answer says whether they took the change. */
export const waitForGateways = { wait: 'all', timeout: '5s' } as const;
