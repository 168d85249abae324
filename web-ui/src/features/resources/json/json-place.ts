import { ensureSyntaxTree, syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import type { Place } from '@/features/resources/json/text-format';
import { stepsOf } from '@/lib/json-pointer';

const PARSE_MILLIS = 200;
const VALUES = new Set(['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']);

/** Returns where a text has what a JSON pointer names: the value, the name of a longer one, or the closest thing around it. */
export function placeIn(state: EditorState, pointer: string, of: 'name' | 'value' = 'value'): Place {
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MILLIS) ?? syntaxTree(state);
  let node = valuesIn(tree.topNode)[0];
  let place: Place = node === undefined ? { from: 0, to: state.doc.length } : begin(node);
  const steps = stepsOf(pointer);
  for (const [i, step] of steps.entries()) {
    const property = node?.name === 'Object' ? propertyOf(state, node, step) : undefined;
    const next = property === undefined ? node && itemOf(node, step) : property.value;
    if (next === undefined) {
      break;
    }
    const named = of === 'name' && i === steps.length - 1;
    place = named || isLong(next) ? (property?.name ?? begin(next)) : { from: next.from, to: next.to };
    node = next;
  }
  return place;
}

interface Property {
  readonly name: Place;
  readonly value: SyntaxNode | undefined;
}

function propertyOf(state: EditorState, object: SyntaxNode, step: string): Property | undefined {
  const property = object
    .getChildren('Property')
    .findLast((one) => nameOf(state, one.getChild('PropertyName')) === step);
  const name = property?.getChild('PropertyName');
  return property && name
    ? { name: { from: name.from, to: name.to }, value: valuesIn(property)[0] }
    : undefined;
}

export function nameOf(state: EditorState, node: SyntaxNode | null): string | undefined {
  try {
    return node === null ? undefined : String(JSON.parse(state.sliceDoc(node.from, node.to)));
  } catch {
    return undefined;
  }
}

function itemOf(list: SyntaxNode, step: string): SyntaxNode | undefined {
  return list.name === 'Array' ? valuesIn(list)[Number(step)] : undefined;
}

function valuesIn(node: SyntaxNode): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (VALUES.has(child.name)) {
      found.push(child);
    }
  }
  return found;
}

function isLong({ name }: SyntaxNode): boolean {
  return name === 'Object' || name === 'Array';
}

function begin({ from }: SyntaxNode): Place {
  return { from, to: from + 1 };
}
