import { json, jsonParseLinter } from '@codemirror/lang-json';
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import { nameOf, placeIn } from '@/features/resources/json/json-place';
import type { Cursor, EditorLanguage } from '@/features/resources/json/text-format';

const PARSE_MILLIS = 200;
const VALUES = new Set(['String', 'Number', 'True', 'False', 'Null']);

export const jsonLanguage: EditorLanguage = {
  support: json(),
  unreadable: jsonParseLinter(),
  placeIn,
  cursorIn,
  nameText: (name) => `${JSON.stringify(name)}: `,
  valueText: (value) => JSON.stringify(value),
};

function cursorIn(state: EditorState, position: number): Cursor | undefined {
  const tree = ensureSyntaxTree(state, position, PARSE_MILLIS) ?? syntaxTree(state);
  const node = tree.resolveInner(position, -1);
  const around = enclosing(node);
  if (around === undefined) {
    return undefined;
  }
  // What was typed so far, be it not yet JSON.
  const typed = /["\w$-]*$/.exec(state.sliceDoc(Math.max(around.from, position - 256), position))?.[0] ?? '';
  const known = node.name === 'PropertyName' || VALUES.has(node.name) ? node : undefined;
  const place = known
    ? { from: known.from, to: Math.max(known.to, position) }
    : { from: position - typed.length, to: position };
  if (around.name === 'Array') {
    return { ...place, path: pathTo(state, around), writes: 'value', names: new Set(), valued: false };
  }
  const property = around.name === 'Property' ? around : undefined;
  const object = property?.parent ?? around;
  const name = property?.getChild('PropertyName');
  const path = pathTo(state, object);
  if (property && name && position > name.to && state.sliceDoc(name.to, position).includes(':')) {
    return { ...place, path, writes: 'value', field: nameOf(state, name), names: new Set(), valued: true };
  }
  const others = object.getChildren('Property').filter((one) => one.from !== property?.from);
  return {
    ...place,
    path,
    writes: 'name',
    names: new Set(others.map((one) => nameOf(state, one.getChild('PropertyName')) ?? '')),
    valued: /^\s*:/.test(state.sliceDoc(place.to, place.to + 8)),
  };
}

/** The property, the object or the list that a node is in. */
function enclosing(node: SyntaxNode): SyntaxNode | undefined {
  for (let one: SyntaxNode | null = node; one !== null; one = one.parent) {
    if (one.name === 'Property' || one.name === 'Array' || one.name === 'Object') {
      return one;
    }
  }
  return undefined;
}

function pathTo(state: EditorState, start: SyntaxNode): readonly string[] {
  const path: string[] = [];
  for (let node = start; node.parent !== null; node = node.parent) {
    if (node.parent.name === 'Property') {
      path.unshift(nameOf(state, node.parent.getChild('PropertyName')) ?? '');
    } else if (node.parent.name === 'Array') {
      path.unshift('0');
    }
  }
  return path;
}
