import { useQueries, useQuery } from '@tanstack/react-query';
import type { ProxyPass, ProxyServer, Route, Router, Upstream } from '#client';
import { getResource } from '@/lib/api/get-resource';
import { sharesOf, targetOf, type UpstreamShare } from '@/lib/topology';
import { listed, many, t } from '@/locales';

/** What a route leads to, as far as it is loaded. */
export interface RouteWay {
  readonly router: Router | undefined;
  readonly proxyServer: ProxyServer | undefined;
  readonly pass: ProxyPass | undefined;
  readonly upstreams: readonly (UpstreamShare & { readonly upstream: Upstream | undefined })[];
  readonly error: Error | null;
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
  const more = hosts.length - 1;
  const others = more > 0 ? ` ${many(more, 'and {count} more host', 'and {count} more hosts')}` : '';
  return {
    methods: methods.length === 0 ? t('Any method') : methods.join(', '),
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
    ...(headers ?? []).map((one) => t('header {condition}', { condition: conditionOf(one) })),
    ...(queryParameters ?? []).map((one) =>
      t('query parameter {condition}', { condition: conditionOf(one) }),
    ),
    ...(cookies ?? []).map((one) => t('cookie {condition}', { condition: conditionOf(one) })),
    ...(clientAddresses.length === 0
      ? []
      : [t('a client in {addresses}', { addresses: listed(clientAddresses) })]),
    ...(consumes.length === 0 ? [] : [t('a body of {types}', { types: consumes.join(t(' or ')) })]),
  ];
  return words.length === 0 ? '' : ` ${t('with {conditions}', { conditions: words.join(t(' and ')) })}`;
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
  return regex !== undefined ? `${name} ~ ${regex}` : present === false ? t('{name} absent', { name }) : name;
}
