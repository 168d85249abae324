export interface ServerSentEvent {
  /** Absent where an event has none; such an event is not one to go on after. */
  readonly id?: string;
  readonly event: string;
  readonly data: string;
}

/** Longer than any event that a control plane sends; a line beyond it means that the stream is not what it should be. */
const LINE_CHARS_MAX = 1024 * 1024;

/**
 * Returns a function that takes the stream's text in pieces of any size, and calls back for each whole event
 * (HTML standard, §9.2.6). Comments and retry times are skipped.
 */
export function sseParser(onEvent: (event: ServerSentEvent) => void): (piece: string) => void {
  let rest = '';
  let id = '';
  let event = '';
  let data: string[] = [];

  const takeLine = (line: string) => {
    if (line === '') {
      if (data.length > 0) {
        onEvent({ ...(id === '' ? {} : { id }), event: event || 'message', data: data.join('\n') });
      }
      id = '';
      event = '';
      data = [];
      return;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'id') {
      id = value;
    } else if (field === 'event') {
      event = value;
    } else if (field === 'data') {
      data.push(value);
    }
  };

  return (piece) => {
    rest += piece;
    // A carriage return at the very end may be the first half of a CRLF: it waits for the next piece.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    lines.forEach(takeLine);
    if (rest.length > LINE_CHARS_MAX) {
      throw new Error(
        `event stream: a line of ${rest.length} characters (expected: at most ${LINE_CHARS_MAX})`,
      );
    }
  };
}
