import { describe, expect, it } from 'vitest';
import { sseParser, type ServerSentEvent } from '@/lib/sse-parser';

function parsed(...pieces: string[]): ServerSentEvent[] {
  const events: ServerSentEvent[] = [];
  const push = sseParser((event) => events.push(event));
  pieces.forEach(push);
  return events;
}

describe('sseParser', () => {
  it('gives each event its name and data', () => {
    expect(parsed('event: gateway\ndata: {"id":"a"}\n\nevent: revision\ndata: {"number":2}\n\n')).toEqual([
      { event: 'gateway', data: '{"id":"a"}' },
      { event: 'revision', data: '{"number":2}' },
    ]);
  });

  it('puts events together however the stream is cut', () => {
    const text = 'event: gateway\r\ndata: {"id":\r\ndata: "a"}\r\n\r\ndata: x\n\n';
    expect(parsed(...Array.from(text))).toEqual([
      { event: 'gateway', data: '{"id":\n"a"}' },
      { event: 'message', data: 'x' },
    ]);
  });

  it('skips comments and retry times, and events without data', () => {
    expect(parsed(': still here\n\nid: 7\nretry: 10\nevent: gateway\n\ndata: y\n\n')).toEqual([
      { event: 'message', data: 'y' },
    ]);
  });

  it('gives an event the id that it has, and the next one none', () => {
    expect(parsed('id: 7-1\nevent: gateway\ndata: x\n\ndata: y\n\n')).toEqual([
      { id: '7-1', event: 'gateway', data: 'x' },
      { event: 'message', data: 'y' },
    ]);
  });

  it('waits for the empty line that ends an event', () => {
    expect(parsed('event: gateway\ndata: z\n')).toEqual([]);
  });

  it('takes one space after the colon, and a field without one as empty', () => {
    expect(parsed('data:a\ndata:  b\ndata\n\n')).toEqual([{ event: 'message', data: 'a\n b\n' }]);
  });

  it('gives up on a line that never ends', () => {
    expect(() => parsed(`data: ${'x'.repeat(1024 * 1024)}`)).toThrow('expected: at most 1048576');
  });
});
