import type { ProxyServer, Route, RouteCondition, Router } from '#client';

export interface ExampleRequest {
  readonly method: string | undefined;
  /** What the client names as host where that is not the address. */
  readonly host: string | undefined;
  readonly url: string;
  /** One a line, `Name: value`. */
  readonly headers: string | undefined;
}

export interface ReachableExample {
  readonly request: ExampleRequest;
  /** Host and port to which a client connects, where the URL names another. */
  readonly connectTo: string | undefined;
}

/** Returns a request that this route matches, as far as an example can be made of its path and its conditions. */
export function exampleFor(
  route: Route,
  router: Pick<Router, 'hosts'>,
  proxyServer: ProxyServer,
  gatewayHost: string,
): ReachableExample {
  const address = `${addressOf(proxyServer, gatewayHost)}:${proxyServer.port}`;
  const host = router.hosts?.[0]?.replace(/^\*\./, 'www.');
  const target = `${examplePath(route.path)}${queryOf(route.queryParameters)}`;
  const more = { method: route.methods?.[0], headers: headersOf(route) };
  if (proxyServer.protocol === 'HTTPS' && host !== undefined) {
    // The name in the URL is the one that a client asks for in the TLS handshake.
    const url = `https://${host}:${proxyServer.port}${target}`;
    return { request: { ...more, host: undefined, url }, connectTo: address };
  }
  const scheme = proxyServer.protocol === 'HTTPS' ? 'https' : 'http';
  return { request: { ...more, host, url: `${scheme}://${address}${target}` }, connectTo: undefined };
}

/** Returns a curl command that sends it. */
export function curlFor({ request, connectTo }: ReachableExample): string {
  const { method, host, url, headers } = request;
  return [
    'curl',
    ...(method === undefined || method === 'GET' ? [] : ['-X', quoted(method)]),
    ...(connectTo === undefined ? [] : ['--connect-to', quoted(`${new URL(url).hostname}::${connectTo}`)]),
    ...(host === undefined ? [] : ['-H', quoted(`Host: ${host}`)]),
    ...(headers === undefined ? [] : headers.split('\n').flatMap((line) => ['-H', quoted(line)])),
    quoted(url),
  ].join(' ');
}

function addressOf({ host }: ProxyServer, gatewayHost: string): string {
  const anywhere = host === undefined || host === '0.0.0.0' || host === '::';
  const address = anywhere ? gatewayHost : host;
  return address.includes(':') ? `[${address}]` : address;
}

function examplePath(path: string): string {
  // An expression has no single example; its head says where to begin.
  return path.startsWith('~')
    ? (/^~\^?([/\w-]*)/.exec(path)?.[1] ?? '/')
    : path.replace(/\*$/, '').replaceAll('/:', '/');
}

function queryOf(conditions: readonly RouteCondition[] | undefined): string {
  const pairs = metBy(conditions).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function headersOf({ headers, cookies, consumes, produces }: Route): string | undefined {
  const lines = metBy(headers).map(([name, value]) => `${name}: ${value}`);
  const jar = metBy(cookies).map(([name, value]) => `${name}=${value}`);
  const media = (name: string, [first]: readonly string[] = []) =>
    first === undefined || first.includes('*') ? [] : [`${name}: ${first}`];
  const all = [
    ...lines,
    ...(jar.length === 0 ? [] : [`Cookie: ${jar.join('; ')}`]),
    ...media('Content-Type', consumes),
    ...media('Accept', produces),
  ];
  return all.length === 0 ? undefined : all.join('\n');
}

/** Returns names and values that meet the conditions, as far as these say a value. */
function metBy(conditions: readonly RouteCondition[] = []): readonly (readonly [string, string])[] {
  return conditions.flatMap(({ name, value, present }) =>
    value !== undefined ? [[name, value]] : present === true ? [[name, '1']] : [],
  );
}

/** Safe to paste into a shell, whatever is in it. */
export function quoted(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
