import { useEffect, useState } from 'react';
import { emptyLog, withRequests, type RequestLog } from '@/components/requests/request-log';
import { streamRequests, type RequestFilter } from '@/lib/api/stream-requests';
import { backOffMillis } from '@/lib/back-off';
import { pause } from '@/lib/pause';
import { isLoggedIn, useSession } from '@/lib/session';
import { untilVisible, whileVisible } from '@/lib/visible';

export interface FollowedRequests extends RequestLog {
  /** Whether the stream is open. */
  readonly live: boolean;
  /** Whether it ended by itself, and is tried again. */
  readonly broken: boolean;
}

/**
 * Follows the last requests as long as the page can be seen. Another filter begins anew; a pause keeps what is there.
 */
export function useLastRequests(filter: RequestFilter, paused: boolean): FollowedRequests {
  const wanted = JSON.stringify(filter);
  const [state, setState] = useState({ wanted, log: emptyLog, live: false, broken: false });
  const { expired } = useSession();
  useEffect(() => {
    if (paused || expired) {
      return undefined;
    }
    const stop = new AbortController();
    const set = (change: (log: RequestLog) => RequestLog, live: boolean, broken = false) =>
      setState((before) => ({
        wanted,
        log: change(before.wanted === wanted ? before.log : emptyLog),
        live,
        broken,
      }));
    void follow(JSON.parse(wanted) as RequestFilter, set, stop.signal);
    return () => {
      stop.abort();
      setState((before) => ({ ...before, live: false, broken: false }));
    };
  }, [wanted, paused, expired]);
  const current = state.wanted === wanted;
  return {
    ...(current ? state.log : emptyLog),
    live: current && state.live,
    broken: current && state.broken,
  };
}

async function follow(
  filter: RequestFilter,
  set: (change: (log: RequestLog) => RequestLog, live: boolean, broken?: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  const asItIs = (log: RequestLog) => log;
  while (!signal.aborted && isLoggedIn()) {
    // A browser keeps few connections to one host, and gateways keep more as long as somebody reads.
    await untilVisible(signal);
    const shown = whileVisible(signal);
    try {
      await streamRequests(
        filter,
        {
          onOpen: () => set(asItIs, true),
          onRequests: (requests) => {
            failures = 0;
            set((log) => withRequests(log, requests), true);
          },
        },
        shown.signal,
      );
    } catch {
      // Whatever ended the stream, it is tried again.
    } finally {
      shown.end();
    }
    if (isAborted(signal)) {
      return;
    }
    set(asItIs, false, !shown.signal.aborted);
    if (!shown.signal.aborted) {
      await pause(backOffMillis(failures++), signal);
    }
  }
}

// Apart, because the compiler believes that an aborted signal can not change while nothing writes to it.
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
