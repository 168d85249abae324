import { failureOf } from '@/lib/api/client';
import { reportReachable } from '@/lib/reachability';
import { currentSession } from '@/lib/session';
import { sseParser, type ServerSentEvent } from '@/lib/sse-parser';

/** Without a word for this long the stream is dead: a control plane sends a heartbeat every 15 s. */
const SILENCE_MILLIS_MAX = 40_000;

interface StreamReader {
  readonly onOpen: () => void;
  readonly onEvent: (event: ServerSentEvent) => void;
}

/**
 * Reads server-sent events until the stream ends or fails.
 * By fetch, because EventSource can not send the Authorization header.
 *
 * @param path below `/api/v1`
 */
export async function readStream(
  path: string,
  headers: Readonly<Record<string, string>>,
  { onOpen, onEvent }: StreamReader,
  signal: AbortSignal,
): Promise<void> {
  const asked = currentSession();
  const response = await fetch(`/api/v1${path}`, {
    headers: {
      Accept: 'text/event-stream',
      ...(asked.token === undefined ? {} : { Authorization: `Bearer ${asked.token}` }),
      ...headers,
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
  onOpen();
  const push = sseParser(onEvent);
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
