import { queryOptions } from '@tanstack/react-query';
import type { BatchOperation, RequestProtocol, RouteTest } from '#client';
import { api, call } from '@/lib/api/client';
import { plainRequest } from '@/lib/plain-request';

/** A request to try out, as an address of the dashboard names it. */
export interface RouteTestWish {
  readonly url?: string;
  readonly method?: string;
  readonly host?: string;
  /** One a line, `Name: value`. */
  readonly headers?: string;
  readonly clientAddress?: string;
  readonly sni?: string;
  /** Protocols with commas between them. */
  readonly alpn?: string;
  readonly protocol?: RequestProtocol;
  readonly proxyServerId?: string;
  readonly gatewayId?: string;
  /** Undefined for the one that the gateway serves. */
  readonly revision?: number;
}

/**
 * Asks a gateway what would become of a request. Nothing is sent, so it can be asked again at any time.
 *
 * @param operations a draft: what would become of it if they were done
 */
export function testRoute(wish: RouteTestWish, operations?: readonly BatchOperation[]) {
  return queryOptions({
    queryKey: ['route-test', wish, operations],
    queryFn: async ({ signal }) =>
      (await call(api.routes.testRouteRaw({ routeTest: routeTestOf(wish, operations) }, { signal }))).value,
    enabled: wish.url !== undefined,
    staleTime: 0,
    gcTime: 0,
  });
}

export function routeTestOf(wish: RouteTestWish, operations?: readonly BatchOperation[]): RouteTest {
  const { url = '', headers, alpn, ...rest } = plainRequest(wish);
  return {
    ...rest,
    url,
    ...(headers === undefined ? {} : { headers: fieldsOf(headers) }),
    ...(alpn === undefined
      ? {}
      : {
          alpn: alpn
            .split(',')
            .map((one) => one.trim())
            .filter(Boolean),
        }),
    ...(operations === undefined ? {} : { operations: [...operations] }),
  };
}

function fieldsOf(lines: string): RouteTest['headers'] {
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const colon = line.indexOf(':', 1);
      return colon < 0
        ? { name: line.trim(), value: '' }
        : { name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() };
    });
}
