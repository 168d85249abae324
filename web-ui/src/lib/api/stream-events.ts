import type { Gateway, Revision } from '#client';
import { failureOf } from '@/lib/api/client';
import { reportReachable } from '@/lib/reachability';
import { currentSession } from '@/lib/session';
import { sseParser } from '@/lib/sse-parser';

export interface EventHandlers {
  readonly onOpen: () => void;
  readonly onGateway: (gateway: Gateway) => void;
  readonly onRevision: (revision: Revision) => void;
}

/**
 * Reads the control plane's events until the stream ends or fails.
 * By fetch, because EventSource can not send the Authorization header.
 */
export async function streamEvents(handlers: EventHandlers, signal: AbortSignal): Promise<void> {
  const response = await fetch('/api/v1/events', {
    headers: { Accept: 'text/event-stream', Authorization: `Bearer ${currentSession().token ?? ''}` },
    signal,
  });
  if (!response.ok || response.body === null) {
    throw await failureOf(response);
  }
  reportReachable(true);
  handlers.onOpen();
  const push = sseParser(({ event, data }) => {
    if (event === 'gateway') {
      handlers.onGateway(JSON.parse(data) as Gateway);
    } else if (event === 'revision') {
      handlers.onRevision(JSON.parse(data) as Revision);
    }
  });
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    push(decoder.decode(chunk.value, { stream: true }));
  }
}
