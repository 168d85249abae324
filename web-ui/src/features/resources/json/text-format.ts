import type { EditorState, Extension } from '@codemirror/state';
import type { Diagnostic } from '@codemirror/lint';
import type { EditorView } from '@codemirror/view';

/** A range in a text. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

/** Where the cursor is, in terms of the resource. */
export interface Cursor extends Place {
  /** To the object or the list that it is in. An item is named by its index; any index stands for all. */
  readonly path: readonly string[];
  /** What is written there: the name of a field, or the value of `field` (of an item, if undefined). */
  readonly writes: 'name' | 'value';
  readonly field?: string | undefined;
  /** The names that the object has already. */
  readonly names: ReadonlySet<string>;
  /** The name has a value already. */
  readonly valued: boolean;
}

/** What the editor has to know of a format. */
export interface EditorLanguage {
  readonly support: Extension;
  /** Why the text cannot be read at all. */
  unreadable(view: EditorView): readonly Diagnostic[];
  /** Where the text has what a pointer names, or the closest thing around it. */
  placeIn(state: EditorState, pointer: string, of?: 'name' | 'value'): Place;
  cursorIn(state: EditorState, position: number): Cursor | undefined;
  /** How a name is written, with what stands before its value. */
  nameText(name: string): string;
  valueText(value: string | number | boolean): string;
}

/** A way to write a resource as a text. */
export interface TextFormat {
  readonly name: 'JSON' | 'YAML';
  /** Returns the object that the text describes; undefined when it is none. */
  parse(text: string): object | undefined;
  print(resource: object): string;
  /** Undefined for JSON, which the editor brings itself. */
  readonly language?: EditorLanguage;
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const jsonFormat: TextFormat = {
  name: 'JSON',
  parse: (text) => {
    try {
      const value: unknown = JSON.parse(text);
      return isObject(value) ? value : undefined;
    } catch {
      return undefined;
    }
  },
  print: (resource) => JSON.stringify(resource, null, 2),
};

/** Loaded when somebody asks for YAML. */
export async function loadYamlFormat(): Promise<TextFormat> {
  return (await import('@/features/resources/json/yaml-format')).yamlFormat;
}
