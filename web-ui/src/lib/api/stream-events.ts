import type { Gateway, NodeChange, Revision, TrafficPoint } from '#client';
import { failureOf } from '@/lib/api/client';
import { reportReachable } from '@/lib/reachability';
import { currentSession } from '@/lib/session';
import { sseParser } from '@/lib/sse-parser';

export interface EventHandlers {
  readonly onOpen: () => void;
  readonly onGateway: (gateway: Gateway) => void;
  readonly onRevision: (revision: Revision) => void;
  readonly onNode: (change: NodeChange) => void;
  readonly onAnalysis: () => void;
  /** A gateway serves another revision, or refused one. */
  readonly onAck: () => void;
  /** What came to all gateways in five seconds. */
  readonly onRates: (point: TrafficPoint) => void;
  /** Events are lost: what was loaded is out of date. */
  readonly onReset: () => void;
  /** Everything up to the event with this id has been told. */
  readonly onId: (id: string) => void;
}

/** Without a word for this long the stream is dead: a control plane sends a heartbeat every 15 s. */
const SILENCE_MILLIS_MAX = 40_000;

/**
 * Reads the control plane's events until the stream ends or fails.
 * By fetch, because EventSource can not send the Authorization header.
 *
 * @param lastEventId the event after which the stream goes on, at whichever control plane; without it the present state is told
 */
export async function streamEvents(
  handlers: EventHandlers,
  signal: AbortSignal,
  lastEventId?: string,
): Promise<void> {
  const asked = currentSession();
  const response = await fetch('/api/v1/events', {
    headers: {
      Accept: 'text/event-stream',
      ...(asked.token === undefined ? {} : { Authorization: `Bearer ${asked.token}` }),
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    },
    signal,
  });
  if (response.status === 401) {
    throw await failureOf(response, asked);
  }
  if (!response.ok || response.body === null) {
    // One stream refused does not make the control plane unreachable: it may have as many clients as it wants.
    throw new Error(`event stream: ${response.status} (expected: 200)`);
  }
  reportReachable(true);
  handlers.onOpen();
  const push = sseParser(({ id, event, data }) => {
    if (event === 'gateway') {
      handlers.onGateway(JSON.parse(data) as Gateway);
    } else if (event === 'revision') {
      handlers.onRevision(JSON.parse(data) as Revision);
    } else if (event === 'node') {
      handlers.onNode(JSON.parse(data) as NodeChange);
    } else if (event === 'analysis') {
      handlers.onAnalysis();
    } else if (event === 'ack') {
      handlers.onAck();
    } else if (event === 'rates') {
      handlers.onRates(JSON.parse(data) as TrafficPoint);
    } else if (event === 'reset') {
      handlers.onReset();
    }
    if (id !== undefined) {
      handlers.onId(id);
    }
  });
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const stop = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', stop);
  try {
    for (let chunk = await spoken(reader); !chunk.done; chunk = await spoken(reader)) {
      push(decoder.decode(chunk.value, { stream: true }));
    }
  } finally {
    // Its connection is not needed any more, however the reading ended.
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** Reads the next piece, or gives up when none comes. */
async function spoken(
  reader: ReadableStreamDefaultReader<Uint8Array>,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`event stream: silent for ${SILENCE_MILLIS_MAX} ms`)),
      SILENCE_MILLIS_MAX,
    );
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    clearTimeout(timer);
  }
}
