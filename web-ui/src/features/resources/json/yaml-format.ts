import { yaml } from '@codemirror/lang-yaml';
import type { EditorState } from '@codemirror/state';
import { isMap, isScalar, isSeq, parseDocument, stringify, type Document, type Node } from 'yaml';
import {
  isObject,
  type EditorLanguage,
  type Place,
  type TextFormat,
} from '@/features/resources/json/text-format';
import { yamlCursor } from '@/features/resources/json/yaml-cursor';
import { stepsOf } from '@/lib/json-pointer';

/** What a text of a few lines may become by its aliases is bounded. */
const ALIASES_MAX = 50;

const language: EditorLanguage = {
  support: yaml(),
  unreadable: (view) => {
    const { length } = view.state.doc;
    return documentOf(view.state.doc.toString()).errors.map(({ pos: [from, to], message }) => ({
      from: Math.min(from, length),
      to: Math.min(to, length),
      message: message.split('\n')[0] ?? message,
      severity: 'error',
    }));
  },
  placeIn,
  cursorIn: (state, position) => {
    const line = state.doc.lineAt(position);
    return yamlCursor(state.doc.toString().split('\n'), line.number - 1, position - line.from, line.from);
  },
  nameText: (name) => `${plain(name)}: `,
  valueText: (value) => plain(value),
};

export const yamlFormat: TextFormat = {
  name: 'YAML',
  parse: (text) => {
    try {
      const document = documentOf(text);
      const value: unknown =
        document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: ALIASES_MAX });
      return isObject(value) ? value : undefined;
    } catch {
      return undefined;
    }
  },
  print: (resource) => stringify(resource, { lineWidth: 0 }),
  language,
};

function documentOf(text: string): Document {
  return parseDocument(text, { prettyErrors: false });
}

function plain(value: string | number | boolean): string {
  return stringify(value, { lineWidth: 0 }).trimEnd();
}

function placeIn(state: EditorState, pointer: string, of: 'name' | 'value' = 'value'): Place {
  const length = state.doc.length;
  const { contents } = documentOf(state.doc.toString());
  const steps = stepsOf(pointer);
  let node: unknown = contents;
  let place: Place = { from: 0, to: firstLineEnd(state) };
  steps.forEach((step, i) => {
    const next = childOf(node, step);
    node = next?.value;
    const last = i === steps.length - 1;
    place = (last && of === 'name' ? next?.name : undefined) ?? placeOfNode(next) ?? place;
  });
  return { from: Math.min(place.from, length), to: Math.min(place.to, length) };
}

interface Child {
  readonly name: Place | undefined;
  readonly value: unknown;
}

function childOf(node: unknown, step: string): Child | undefined {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => String(isScalar(key) ? key.value : key) === step);
    return pair && { name: rangeOf(pair.key), value: pair.value };
  }
  return isSeq(node) ? { name: undefined, value: node.items[Number(step)] } : undefined;
}

/** A long one is marked at its name. */
function placeOfNode(child: Child | undefined): Place | undefined {
  if (child === undefined) {
    return undefined;
  }
  const range = rangeOf(child.value);
  return isScalar(child.value) && range !== undefined && range.to > range.from
    ? range
    : (child.name ?? (range && { from: range.from, to: range.from + 1 }));
}

function rangeOf(node: unknown): Place | undefined {
  const range = (node as Node | null | undefined)?.range;
  return range ? { from: range[0], to: range[1] } : undefined;
}

function firstLineEnd(state: EditorState): number {
  return state.doc.line(1).to;
}
