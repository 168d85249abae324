import type { ProxyServer, Route, Router } from '#client';

/** Returns a curl command whose request this route matches, as far as an example can be made of its path. */
export function curlFor(route: Route, router: Router, proxyServer: ProxyServer, gatewayHost: string): string {
  const scheme = proxyServer.protocol === 'HTTPS' ? 'https' : 'http';
  const url = `${scheme}://${addressOf(proxyServer, gatewayHost)}:${proxyServer.port}${examplePath(route.path)}`;
  const [method] = route.methods ?? [];
  const [host] = router.hosts ?? [];
  return [
    'curl',
    ...(method === undefined || method === 'GET' ? [] : ['-X', quoted(method)]),
    ...(host === undefined ? [] : ['-H', quoted(`Host: ${host.replace(/^\*\./, 'www.')}`)]),
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
