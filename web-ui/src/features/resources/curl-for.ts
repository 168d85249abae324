import type { ProxyServer, Route, Router } from '#client';

export interface ExampleRequest {
  readonly method: string | undefined;
  /** What the client names as host where that is not the address. */
  readonly host: string | undefined;
  readonly url: string;
}

/** Returns a request that this route matches, as far as an example can be made of its path. */
export function exampleFor(
  route: Route,
  router: Router,
  proxyServer: ProxyServer,
  gatewayHost: string,
): ExampleRequest {
  const scheme = proxyServer.protocol === 'HTTPS' ? 'https' : 'http';
  return {
    method: route.methods?.[0],
    host: router.hosts?.[0]?.replace(/^\*\./, 'www.'),
    url: `${scheme}://${addressOf(proxyServer, gatewayHost)}:${proxyServer.port}${examplePath(route.path)}`,
  };
}

/** Returns a curl command that sends it. */
export function curlFor({ method, host, url }: ExampleRequest): string {
  return [
    'curl',
    ...(method === undefined || method === 'GET' ? [] : ['-X', quoted(method)]),
    ...(host === undefined ? [] : ['-H', quoted(`Host: ${host}`)]),
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

/** Safe to paste into a shell, whatever is in it. */
function quoted(text: string): string {
  return /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
