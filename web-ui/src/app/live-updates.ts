import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Gateway, Revision } from '#client';
import { backOffMillis } from '@/lib/back-off';
import { getHealth } from '@/lib/api/get-health';
import { takeRates } from '@/lib/api/get-traffic';
import { getUpstreamHealth } from '@/lib/api/get-upstream-health';
import { nodeHealthKey } from '@/lib/api/list-node-health';
import { listGateways } from '@/lib/api/list-gateways';
import { latestRevisions, LATEST_REVISIONS } from '@/lib/api/list-revisions';
import { streamEvents } from '@/lib/api/stream-events';
import { reportLive, useLive } from '@/lib/liveness';
import { onceAPause } from '@/lib/once-a-pause';
import { pause } from '@/lib/pause';
import { isLoggedIn, useSession } from '@/lib/session';
import { untilVisible, whileVisible } from '@/lib/visible';

/** A burst of events refreshes what is on the screen once, and writes that never end do so at a slower pace. */
const REFRESH_PAUSES = { first: 400, between: 2_000 };
/** Somebody may wait for what gateways say. */
const ANSWER_PAUSES = { first: 400, between: 400 };
const NODE_PAUSES = { first: 400, between: 4_000 };

/** Keeps the query cache fresh from the control plane's events. Returns whether the stream is open. */
export function useLiveUpdates(): boolean {
  const client = useQueryClient();
  const { expired } = useSession();
  useEffect(() => {
    if (expired) {
      return undefined;
    }
    const stop = new AbortController();
    void follow(client, stop.signal);
    return () => {
      stop.abort();
      reportLive(false);
    };
  }, [client, expired]);
  return useLive();
}

async function follow(client: QueryClient, signal: AbortSignal): Promise<void> {
  const refresh = onceAPause(signal, REFRESH_PAUSES, () => {
    void client.invalidateQueries({ queryKey: ['resources'] });
    void client.invalidateQueries({ queryKey: ['revisions'] });
  });
  const refreshAnalysis = onceAPause(signal, REFRESH_PAUSES, () => {
    void client.invalidateQueries({ queryKey: ['revisions', 'analysis'] });
  });
  const refreshAcks = onceAPause(signal, ANSWER_PAUSES, () => {
    void client.invalidateQueries({ queryKey: ['revisions', 'acks'] });
  });
  const upstreams = new Set<string>();
  const refreshHealth = onceAPause(signal, ANSWER_PAUSES, () => {
    for (const id of upstreams) {
      // What is under way goes on: nodes that change without a pause must not keep it from coming to an end.
      void client.invalidateQueries({ queryKey: getUpstreamHealth(id).queryKey }, { cancelRefetch: false });
    }
    upstreams.clear();
  });
  // The header asks for all failed nodes on every page: a fleet that flaps has many of them, all the time.
  const refreshNodes = onceAPause(signal, NODE_PAUSES, () => {
    void client.invalidateQueries({ queryKey: nodeHealthKey }, { cancelRefetch: false });
  });
  let failures = 0;
  let heard: string | undefined;
  let newest: number | undefined;
  let missedRates = false;
  while (!signal.aborted && isLoggedIn()) {
    // A browser keeps few connections to one host, and each tab would hold one of them for good.
    await untilVisible(signal);
    const shown = whileVisible(signal);
    try {
      await streamEvents(
        {
          onOpen: () => {
            reportLive(true);
            if (missedRates) {
              // They are not repeated.
              void client.invalidateQueries({ queryKey: ['traffic'] });
            }
            missedRates = true;
          },
          onGateway: (gateway) => {
            failures = 0;
            client.setQueryData(listGateways.queryKey, (known) => known && withGateway(known, gateway));
            // Whether one that has not answered still can.
            refreshAcks();
          },
          onNode: ({ upstreamId }) => {
            failures = 0;
            upstreams.add(upstreamId);
            refreshHealth();
            refreshNodes();
          },
          onRevision: (revision) => {
            failures = 0;
            const unknown = takeRevision(client, revision);
            // The first one may be what the pages were loaded with. Later ones are news to lists, be it that the newest revisions
            // have been read since.
            if (newest === undefined ? unknown : revision.number > newest) {
              refresh();
            }
            newest = Math.max(newest ?? 0, revision.number);
          },
          onAnalysis: refreshAnalysis,
          onAck: refreshAcks,
          onRates: (point) => {
            failures = 0;
            takeRates(client, point);
          },
          onReset: () => void client.invalidateQueries(),
          onId: (id) => {
            failures = 0;
            heard = id;
          },
        },
        shown.signal,
        heard,
      );
    } catch {
      // Whatever ended the stream, the answer is the same: see whether the control plane is there, wait, try again.
    } finally {
      shown.end();
    }
    if (isAborted(signal)) {
      return;
    }
    reportLive(false);
    if (shown.signal.aborted) {
      continue;
    }
    await client.query({ ...getHealth, staleTime: 0 }).catch(() => undefined);
    await pause(backOffMillis(failures++), signal);
  }
}

// Apart, because the compiler believes that an aborted signal can not change while nothing writes to it.
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** Returns the gateways, which are in the order of their ids, with one that is new, or news. There may be thousands, and news often. */
export function withGateway(known: readonly Gateway[], gateway: Gateway): readonly Gateway[] {
  let from = 0;
  let to = known.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((known[middle]?.id ?? '') < gateway.id) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return [...known.slice(0, from), gateway, ...known.slice(known[from]?.id === gateway.id ? from + 1 : from)];
}

/** Returns whether the revision is news. */
function takeRevision(client: QueryClient, revision: Revision): boolean {
  const known = client.getQueryData(latestRevisions.queryKey);
  if (known === undefined || (known[0]?.number ?? 0) >= revision.number) {
    return false;
  }
  client.setQueryData(latestRevisions.queryKey, [revision, ...known].slice(0, LATEST_REVISIONS));
  return true;
}
