import {
  ConnectionProtocol,
  Kind as ContractKind,
  RequestProtocol,
  Severity as SeverityValues,
  type Severity,
} from '#client';
import { listViewOf } from '@/features/resources/list-view';
import type { TopologyView } from '@/features/topology/topology-view';
import type { ConnectionFilter } from '@/lib/api/gateway-connections';
import type { NodeHistoryFilter } from '@/lib/api/get-upstream-health';
import type { ListView } from '@/lib/api/list-resources';
import type { RevisionFilter } from '@/lib/api/list-revisions';
import type { ListFilter } from '@/lib/api/resource-api';
import type { RouteTestWish } from '@/lib/api/test-route';
import type { ReferenceKey } from '@/lib/kinds';
import { resourceTabOf, type ResourceTab } from '@/lib/resource-tab';

// What the address of each page says in its search parameters. A value that means nothing there is left out.

/** The search parameters of an address, as the router reads them. */
export type Search = Readonly<Record<string, unknown>>;

export function loginSearchOf(search: Search): { next?: string } {
  return { next: textOf(search.next) };
}

export function analysisSearchOf(search: Search): { severity?: Severity } {
  return { severity: severityOf(search.severity) };
}

export function connectionFilterOf(search: Search): ConnectionFilter {
  return {
    proxyServerId: textOf(search.proxyServerId),
    upstreamId: textOf(search.upstreamId),
    node: textOf(search.node),
    clientAddress: textOf(search.clientAddress),
    protocol: Object.values(ConnectionProtocol).find((protocol) => protocol === search.protocol),
  };
}

export function routeTestWishOf(search: Search): RouteTestWish {
  return {
    url: textOf(search.url),
    method: textOf(search.method),
    host: textOf(search.host),
    headers: textOf(search.headers),
    clientAddress: textOf(search.clientAddress),
    sni: textOf(search.sni),
    alpn: textOf(search.alpn),
    protocol: Object.values(RequestProtocol).find((protocol) => protocol === search.protocol),
    proxyServerId: textOf(search.proxyServerId),
    gatewayId: textOf(search.gatewayId),
    revision: numberOf(search.revision),
  };
}

export function topologyViewOf(search: Search): TopologyView {
  return {
    at: textOf(search.at),
    q: textOf(search.q),
    failing: search.failing === true ? true : undefined,
  };
}

export function revisionFilterOf(search: Search): RevisionFilter {
  return {
    author: textOf(search.author),
    text: textOf(search.text),
    kind: Object.values(ContractKind).find((kind) => kind === search.kind),
    id: textOf(search.id),
  };
}

export function revisionSearchOf({ from }: Search): { from?: number } {
  return {
    from: numberOf(from),
  };
}

export function resourceListSearchOf(search: Search): ListView {
  return {
    // An address that somebody kept may still say name.
    q: textOf(search.q) ?? textOf(search.name),
    name: undefined,
    ...referencesOf(search),
    ...listViewOf(search),
  };
}

export function creationSearchOf(search: Search): ListFilter & { from?: string; steps?: boolean } {
  return {
    from: textOf(search.from),
    steps: search.steps === true ? true : undefined,
    ...referencesOf(search),
  };
}

export function resourceSearchOf(search: Search): { tab?: ResourceTab } {
  return { tab: resourceTabOf(search.tab) };
}

export function nodeHistoryFilterOf(search: Search): NodeHistoryFilter {
  return {
    node: textOf(search.node),
    gateway: textOf(search.gateway),
  };
}

function severityOf(value: unknown): Severity | undefined {
  return Object.values(SeverityValues).find((severity) => severity === value);
}

function referencesOf(search: Search): Partial<Record<ReferenceKey, string>> {
  return {
    proxyServerId: textOf(search.proxyServerId),
    routerId: textOf(search.routerId),
    proxyPassId: textOf(search.proxyPassId),
    upstreamId: textOf(search.upstreamId),
    certificates: textOf(search.certificates),
    certificateId: textOf(search.certificateId),
  };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Ids may look like numbers, and the router reads those as numbers. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined;
}
