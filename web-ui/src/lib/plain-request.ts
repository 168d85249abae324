import type { RouteTestWish } from '@/lib/api/test-route';

/** Returns a request as a browser or curl sends it: in ASCII, without what stays with the client. */
export function plainRequest(wish: RouteTestWish): RouteTestWish {
  const { url, host } = wish;
  return {
    ...wish,
    ...(url === undefined ? {} : { url: plainUrl(url) }),
    ...(host === undefined ? {} : { host: plainHost(host) }),
  };
}

function plainUrl(url: string): string {
  const [, scheme = '', authority = '', target = url] = /^(https?:\/\/)([^/?#]*)(.*)$/is.exec(url) ?? [];
  if (scheme === '' && !url.startsWith('/')) {
    // Of TCP and of requests in frames.
    return url;
  }
  // A client never sends its user information, nor what stands after the #.
  const host = plainHost(authority.replace(/^.*@/, ''));
  return scheme + host + target.replace(/#.*$/s, '').replace(/[^\x21-\x7e]/gu, encodeURIComponent);
}

/** A name in another script is asked for by its Punycode (RFC 3492). */
function plainHost(host: string): string {
  if (/^[\x21-\x7e]*$/.test(host)) {
    return host;
  }
  try {
    return new URL(`http://${host}`).host;
  } catch {
    return host;
  }
}
