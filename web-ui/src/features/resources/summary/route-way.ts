import { useQueries, useQuery } from '@tanstack/react-query';
import type { ProxyPass, ProxyServer, Route, Router, Upstream } from '#client';
import { getResource } from '@/lib/api/get-resource';
import { percent } from '@/lib/figures';

/** What a route leads to, as far as it is loaded. */
export interface RouteWay {
  readonly router: Router | undefined;
  readonly proxyServer: ProxyServer | undefined;
  readonly pass: ProxyPass | undefined;
  readonly upstreams: readonly (UpstreamShare & { readonly upstream: Upstream | undefined })[];
  readonly error: Error | null;
}

export interface UpstreamShare {
  readonly upstreamId: string;
  /** Of the requests, 0 to 1. */
  readonly share: number;
}

export function useRouteWay({ routerId, proxyPassId }: Route): RouteWay {
  const router = useQuery(getResource('routers', routerId));
  const serverId = router.data?.value.proxyServerId;
  const server = useQuery({
    ...getResource('proxy-servers', serverId ?? ''),
    enabled: serverId !== undefined,
  });
  const pass = useQuery(getResource('proxy-passes', proxyPassId));
  const shares = pass.data === undefined ? [] : sharesOf(pass.data.value);
  const upstreams = useQueries({
    queries: shares.map(({ upstreamId }) => getResource('upstreams', upstreamId)),
  });
  return {
    router: router.data?.value,
    proxyServer: server.data?.value,
    pass: pass.data?.value,
    upstreams: shares.map((share, index) => ({ ...share, upstream: upstreams[index]?.data?.value })),
    error: router.error ?? server.error ?? pass.error ?? null,
  };
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

/** What a request has to be like. */
export interface RouteWords {
  readonly methods: string;
  readonly address: string;
  readonly conditions: string;
  readonly target: string;
}

/** Returns the route as a sentence in four parts. */
export function wordsOf(route: Route, router: Router | undefined, pass: ProxyPass | undefined): RouteWords {
  const { methods = [], path } = route;
  const hosts = router?.hosts ?? [];
  const others = hosts.length > 1 ? ` and ${hosts.length - 1} more hosts` : '';
  return {
    methods: methods.length === 0 ? 'Any method' : methods.join(', '),
    address: `${hosts[0] ?? ''}${path}`,
    conditions: `${others}${conditionsOf(route)}`,
    target: pass === undefined ? '…' : targetOf(pass),
  };
}

function conditionsOf({
  headers,
  queryParameters,
  cookies,
  clientAddresses = [],
  consumes = [],
}: Route): string {
  const words = [
    ...(headers ?? []).map((one) => `header ${conditionOf(one)}`),
    ...(queryParameters ?? []).map((one) => `query parameter ${conditionOf(one)}`),
    ...(cookies ?? []).map((one) => `cookie ${conditionOf(one)}`),
    ...(clientAddresses.length === 0 ? [] : [`a client in ${clientAddresses.join(', ')}`]),
    ...(consumes.length === 0 ? [] : [`a body of ${consumes.join(' or ')}`]),
  ];
  return words.length === 0 ? '' : ` with ${words.join(' and ')}`;
}

function conditionOf(condition: {
  readonly name: string;
  readonly value?: string;
  readonly regex?: string;
  readonly present?: boolean;
}): string {
  const { name, value, regex, present } = condition;
  if (value !== undefined) {
    return `${name} = ${value}`;
  }
  return regex !== undefined ? `${name} ~ ${regex}` : present === false ? `${name} absent` : name;
}

/** Returns in a few words where a proxy pass leads. */
export function targetOf(pass: ProxyPass): string {
  const { redirect, fixedResponse, staticFiles } = pass;
  if (redirect !== undefined) {
    return `redirect ${redirect.status ?? 302} to ${redirect.location}`;
  }
  if (staticFiles !== undefined) {
    return `files of ${staticFiles.rootPath}`;
  }
  if (fixedResponse !== undefined) {
    return `answer ${fixedResponse.status ?? 200}`;
  }
  const shares = sharesOf(pass);
  return shares
    .map(({ upstreamId, share }) => (shares.length === 1 ? upstreamId : `${percent(share, 1)} ${upstreamId}`))
    .join(', ');
}
