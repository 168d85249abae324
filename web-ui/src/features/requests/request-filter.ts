import { requestStatuses, type RequestFilter } from '@/lib/api/stream-requests';

const TEXT_MAX = 64;

/** Returns the filter that an address names; what it does not know is left out. */
export function requestFilterOf(search: Readonly<Record<string, unknown>>): RequestFilter {
  return {
    route: textOf(search.route),
    proxyServer: textOf(search.proxyServer),
    status: requestStatuses.find((status) => status === search.status),
    text: textOf(search.text),
    gateway: textOf(search.gateway),
  };
}

/** Texts may look like numbers, and the router reads those as numbers. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value).slice(0, TEXT_MAX) || undefined
    : undefined;
}
