import { Kind, OperationAction, type BatchOperation } from '#client';
import type { RouteTestWish } from '@/lib/api/test-route';
import { randomHex } from '@/lib/random-hex';

/** What decides on the path that a node receives, as the form holds it; a text is empty where it is not set. */
export interface Rewriting {
  readonly regexp: string;
  readonly replacement: string;
  /** Of the proxy pass. */
  readonly stripPrefix: string;
  readonly addPrefix: string;
}

/** Port of no listener: those that systems give to whoever asks for any (RFC 6335 §6). */
const PORT_MIN = 49_152;
const PORTS = 16_384;
/** For documentation (RFC 5737): a trial sends nothing there. */
const NODE = 'http://192.0.2.1';

export interface RewriteTrial {
  readonly wish: RouteTestWish;
  readonly operations: readonly BatchOperation[];
}

/** The kinds of the drafts. */
export const TRIED = [Kind.Upstream, Kind.ProxyPass, Kind.ProxyServer, Kind.Router, Kind.Route];

/**
 * Makes trials that do not meet the configuration: a draft of a proxy server whose one route takes every path.
 *
 * @param labels those without which a restricted token may not ask
 */
export function rewriteTrials(
  labels?: Readonly<Record<string, string>>,
): (path: string, rewriting: Rewriting) => RewriteTrial {
  const id = `trial-${randomHex(8)}`;
  const port = PORT_MIN + (parseInt(randomHex(2), 16) % PORTS);
  const put = (kind: Kind, body: object): BatchOperation => ({
    action: OperationAction.Put,
    kind,
    id,
    body: labels === undefined ? body : { ...body, labels },
  });
  return (path, { regexp, replacement, stripPrefix, addPrefix }) => ({
    wish: { url: path, host: 'example.com', proxyServerId: id },
    operations: [
      put(Kind.Upstream, { nodes: [{ url: NODE }] }),
      put(Kind.ProxyPass, {
        upstreamId: id,
        ...(stripPrefix === '' ? {} : { stripPrefix }),
        ...(addPrefix === '' ? {} : { addPrefix }),
        plugins: { rewritePath: { regexp, replacement } },
      }),
      put(Kind.ProxyServer, { port, host: '127.0.0.1' }),
      put(Kind.Router, { proxyServerId: id }),
      put(Kind.Route, { routerId: id, path: '/*', proxyPassId: id }),
    ],
  });
}
