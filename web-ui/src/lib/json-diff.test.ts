import { describe, expect, it } from 'vitest';
import { jsonDiff, toldDiff } from '@/lib/json-diff';

const node = (url: string, weight = 1) => ({ url, weight });
const pointersOf = (before: unknown, after: unknown) =>
  jsonDiff(before, after).map(({ pointer, before: old, after: now }) => [pointer, old, now]);

describe('jsonDiff', () => {
  it('tells what came to a list as that', () => {
    expect(pointersOf({ nodes: [node('a')] }, { nodes: [node('a'), node('b')] })).toEqual([
      ['/nodes/1/url', undefined, '"b"'],
      ['/nodes/1/weight', undefined, '1'],
    ]);
  });

  it('tells what went from the middle of a list as that', () => {
    expect(
      pointersOf({ nodes: [node('a'), node('b'), node('c')] }, { nodes: [node('a'), node('c')] }),
    ).toEqual([
      ['/nodes/1/url', '"b"', undefined],
      ['/nodes/1/weight', '1', undefined],
    ]);
  });

  it('tells the field of an item that changed', () => {
    expect(
      pointersOf({ nodes: [node('a'), node('b')] }, { nodes: [node('a', 5), node('b'), node('c')] }),
    ).toEqual([
      ['/nodes/0/weight', '1', '5'],
      ['/nodes/2/url', undefined, '"c"'],
      ['/nodes/2/weight', undefined, '1'],
    ]);
  });

  it('tells a list of texts as one change', () => {
    expect(pointersOf({ hosts: ['a', 'b'] }, { hosts: ['b'] })).toEqual([['/hosts', '["a","b"]', '["b"]']]);
  });

  it('does not care for the order of names', () => {
    expect(pointersOf({ nodes: [{ a: 1, b: 2 }] }, { nodes: [{ b: 2, a: 1 }] })).toEqual([]);
  });

  it('tells by leaves what was not there at all', () => {
    expect(pointersOf(undefined, { id: 'x', pool: { idleMin: 1 } })).toEqual([
      ['/id', undefined, '"x"'],
      ['/pool/idleMin', undefined, '1'],
    ]);
    expect(pointersOf({ pool: {} }, { pool: { idleMin: 1 } })).toEqual([
      ['/pool', '{}', undefined],
      ['/pool/idleMin', undefined, '1'],
    ]);
  });
});

describe('toldDiff', () => {
  it('tells by leaves what came as a whole', () => {
    expect(toldDiff([{ pointer: '/nodes/1', after: node('b') }])).toEqual([
      { pointer: '/nodes/1/url', before: undefined, after: '"b"' },
      { pointer: '/nodes/1/weight', before: undefined, after: '1' },
    ]);
  });
});
