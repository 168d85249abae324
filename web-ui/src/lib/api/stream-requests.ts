import type { LastRequests } from '#client';
import { readStream } from '@/lib/api/read-stream';

/** As the contract names them; `failed` are those answered 5xx, not at all, or broken off. */
export const requestStatuses = ['failed', '2xx', '3xx', '4xx', '5xx'] as const;
export type RequestStatus = (typeof requestStatuses)[number];

/** The route of requests that no route took. */
export const NO_ROUTE = 'none';

/** Which requests are looked at; what is absent does not narrow them. */
export interface RequestFilter {
  readonly route?: string;
  readonly proxyServer?: string;
  readonly status?: RequestStatus;
  readonly text?: string;
  readonly gateway?: string;
}

/** Reads the last requests, and those that come, until the stream ends or fails. */
export async function streamRequests(
  filter: RequestFilter,
  handlers: { readonly onOpen: () => void; readonly onRequests: (requests: LastRequests) => void },
  signal: AbortSignal,
): Promise<void> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter) as [string, string | undefined][]) {
    if (value !== undefined) {
      query.set(name, value);
    }
  }
  await readStream(
    `/requests/stream${query.size === 0 ? '' : `?${query.toString()}`}`,
    {},
    {
      onOpen: handlers.onOpen,
      onEvent: ({ event, data }) => {
        if (event === 'requests') {
          handlers.onRequests(JSON.parse(data) as LastRequests);
        }
      },
    },
    signal,
  );
}
