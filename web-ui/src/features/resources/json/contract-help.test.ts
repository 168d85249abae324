import { EditorState } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { completionsFor } from '@/features/resources/json/contract-help';
import { jsonLanguage } from '@/features/resources/json/json-language';
import type { EditorLanguage } from '@/features/resources/json/text-format';
import { yamlFormat } from '@/features/resources/json/yaml-format';

/** What is offered at the mark | of a text, and the text that it would replace. */
function offered(marked: string, language: EditorLanguage) {
  const position = marked.indexOf('|');
  const doc = marked.replace('|', '');
  const state = EditorState.create({ doc, extensions: [language.support] });
  const cursor = language.cursorIn(state, position);
  return {
    labels:
      cursor === undefined ? [] : completionsFor(cursor, 'Upstream', language).map(({ label }) => label),
    replaced: cursor === undefined ? undefined : state.sliceDoc(cursor.from, cursor.to),
  };
}

const yaml = yamlFormat.language ?? jsonLanguage;

describe('completion', () => {
  it.each([
    ['{ | }', jsonLanguage, ''],
    ['{ "id": "a", "nod|" }', jsonLanguage, '"nod"'],
    ['{ "id": "a", nod| }', jsonLanguage, 'nod'],
    ['nod|', yaml, 'nod'],
    ['id: a\n|', yaml, ''],
    ['id: a\nhealthCheck:\n  path: /x\nnod|\nname: b', yaml, 'nod'],
  ])('offers the names of a resource in %j', (text, language, replaced) => {
    const found = offered(text, language);
    expect(found.labels).toContain('nodes');
    expect(found.labels).not.toContain('url');
    expect(found.replaced).toBe(replaced);
  });

  it.each([
    ['{ "nodes": [{ "url": "http://a", "| }] }', jsonLanguage],
    ['nodes:\n  - url: http://a\n    |', yaml],
    ['nodes:\n- url: http://a\n  we|\nname: x', yaml],
    ['nodes:\n  - url: http://a\n  - url: http://b\n    we|', yaml],
  ])('offers the names of an item that it has not got in %j', (text, language) => {
    const { labels } = offered(text, language);
    expect(labels).toContain('weight');
    expect(labels).not.toContain('url');
    expect(labels).not.toContain('nodes');
  });

  it.each([
    ['nodes:\n  - |', yaml],
    ['nodes:\n  - url: http://a\n  - u|', yaml],
    ['{ "nodes": [{ "url": "http://a" }, { | }] }', jsonLanguage],
  ])('offers the names of a new item in %j', (text, language) => {
    expect(offered(text, language).labels).toContain('url');
  });

  it.each([
    ['{ "balancing": | }', jsonLanguage],
    ['{ "balancing": "RA|" }', jsonLanguage],
    ['id: a\nbalancing: |', yaml],
    ['balancing: RA|\nid: a', yaml],
  ])('offers the values of a choice in %j', (text, language) => {
    expect(offered(text, language).labels).toContain('ROUND_ROBIN');
  });

  it('offers nothing where the contract says nothing', () => {
    expect(offered('labels:\n  te|', yaml).labels).toEqual([]);
    expect(offered('{ "labels": { "te|" } }', jsonLanguage).labels).toEqual([]);
    expect(offered('# no|', yaml).labels).toEqual([]);
  });
});

describe('places in YAML', () => {
  const doc = 'id: shop\nnodes:\n  - url: http://a\n  - url: nowhere\n    weight: -1\nempty: []\n';
  it.each([
    ['/id', 'shop'],
    ['/nodes', 'nodes'],
    ['/nodes/1/weight', '-1'],
    ['/nodes/1/url', 'nowhere'],
    ['/path', 'id: shop'],
    ['/nodes/0/name', 'u'],
  ])('finds %j at %j', (pointer, place) => {
    const state = EditorState.create({ doc });
    const { from, to } = yaml.placeIn(state, pointer);
    expect(state.sliceDoc(from, to)).toBe(place);
  });

  it('reads what it wrote, and says where it cannot read', () => {
    const resource = { id: 'a', on: 'yes', nodes: [{ url: 'http://a', weight: 1 }], path: '/*' };
    expect(yamlFormat.parse(yamlFormat.print(resource))).toEqual(resource);
    expect(yamlFormat.parse('a: [')).toBeUndefined();
    expect(yamlFormat.parse('- a')).toBeUndefined();
    expect(yamlFormat.parse('a: 1\na: 2')).toBeUndefined();
  });

  it('bounds what aliases make of a text', () => {
    const bomb = [
      'a: &a [x]',
      ...'bcdefgh'.split('').map((name, i) => {
        const last = 'abcdefgh'[i] ?? 'a';
        return `${name}: &${name} [${Array(10).fill(`*${last}`).join(', ')}]`;
      }),
    ].join('\n');
    expect(yamlFormat.parse(bomb)).toBeUndefined();
  });
});
