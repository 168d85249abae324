import type { Gateway, NodeChange, Revision, TrafficPoint } from '#client';
import { readStream } from '@/lib/api/read-stream';
import type { ServerSentEvent } from '@/lib/sse-parser';

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

/**
 * Reads the control plane's events until the stream ends or fails.
 *
 * @param lastEventId the event after which the stream goes on, at whichever control plane; without it the present state is told
 */
export async function streamEvents(
  handlers: EventHandlers,
  signal: AbortSignal,
  lastEventId?: string,
): Promise<void> {
  const onEvent = ({ id, event, data }: ServerSentEvent) => {
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
  };
  await readStream(
    '/events',
    lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId },
    { onOpen: handlers.onOpen, onEvent },
    signal,
  );
}
