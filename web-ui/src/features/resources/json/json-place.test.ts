import { json } from '@codemirror/lang-json';
import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { placeIn } from '@/features/resources/json/json-place';

const text = `{
  "id": "shop",
  "nodes": [{ "url": "http://a" }, { "url": "nowhere", "weight": -1 }],
  "labels": { "team/owner": "x" },
  "empty": []
}`;

function named(doc: string, pointer: string): string {
  const state = EditorState.create({ doc, extensions: [json()] });
  const { from, to } = placeIn(state, pointer);
  return state.sliceDoc(from, to);
}

describe('placeIn', () => {
  it.each([
    ['', '{'],
    ['/id', '"shop"'],
    ['/nodes', '"nodes"'],
    ['/nodes/0/url', '"http://a"'],
    ['/nodes/1/weight', '-1'],
    ['/nodes/1', '{'],
    ['/labels/team~1owner', '"x"'],
    // What is absent is marked at what should have it.
    ['/path', '{'],
    ['/labels/other', '"labels"'],
    ['/nodes/9/url', '"nodes"'],
    ['/empty/0', '"empty"'],
  ])('finds %j at %j', (pointer, place) => {
    expect(named(text, pointer)).toBe(place);
  });

  it('survives a text that is no JSON', () => {
    expect(named('', '/id')).toBe('');
    expect(named('{"id": ', '/id')).toBeTypeOf('string');
  });
});
