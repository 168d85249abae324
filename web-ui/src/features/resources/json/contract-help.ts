import {
  autocompletion,
  snippetCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import { contractFacts, type PropertyFacts, type SchemaName } from '#contract';
import type { Cursor, EditorLanguage } from '@/features/resources/json/text-format';
import { listed, t } from '@/locales';
import { translateContract } from '@/locales/contract';

/** Completion of names and values, and descriptions of fields under the pointer, all from the schema of the contract. */
export function contractHelp(schema: SchemaName, language: EditorLanguage): Extension {
  return [
    autocompletion({
      override: [(context) => completionsAt(context, schema, language)],
      icons: false,
    }),
    hoverTooltip((view, position) => {
      const word = view.state.wordAt(position);
      const cursor = word === null ? undefined : language.cursorIn(view.state, word.to);
      if (cursor?.writes !== 'name') {
        return null;
      }
      const name = view.state.sliceDoc(cursor.from, cursor.to).replaceAll(/^["']|["']$/g, '');
      const facts = factsOf(schema, [...cursor.path, name]);
      return facts === undefined
        ? null
        : {
            pos: cursor.from,
            end: cursor.to,
            above: true,
            create: () => ({ dom: description(name, facts) }),
          };
    }),
  ];
}

function completionsAt(
  context: CompletionContext,
  schema: SchemaName,
  language: EditorLanguage,
): CompletionResult | null {
  const cursor = language.cursorIn(context.state, context.pos);
  if (cursor === undefined || (cursor.from === cursor.to && !context.explicit)) {
    return null;
  }
  const options = completionsFor(cursor, schema, language);
  return options.length === 0 ? null : { from: cursor.from, to: cursor.to, options, validFor: /^["'\w$-]*$/ };
}

/** Returns what can be written at a place: names that the object has not got, or the values of a field. */
export function completionsFor(
  cursor: Cursor,
  schema: SchemaName,
  language: EditorLanguage,
): readonly Completion[] {
  if (cursor.writes === 'value') {
    const facts = factsOf(schema, cursor.field === undefined ? cursor.path : [...cursor.path, cursor.field]);
    return valuesOf(facts, cursor.field === undefined).map((value) => ({
      label: String(value),
      apply: language.valueText(value),
      ...(value === facts?.fallback && { detail: t('default') }),
    }));
  }
  const inside = schemaAt(schema, cursor.path);
  if (inside === undefined) {
    const items = factsOf(schema, cursor.path);
    return valuesOf(items, true).map((value) => ({
      label: String(value),
      apply: language.valueText(value),
    }));
  }
  return Object.entries(contractFacts[inside].properties)
    .filter(([name]) => !cursor.names.has(name))
    .map(([name, facts]) => {
      const completion: Completion = {
        label: name,
        detail: facts.required ? t('required') : kindOfValue(facts),
        boost: facts.required ? 2 : 0,
        info: () => description(name, facts),
      };
      const written = language.nameText(name);
      return cursor.valued
        ? { ...completion, apply: written.replace(/:\s*$/, '') }
        : snippetCompletion(`${written.replaceAll(/[$#{}]/g, '\\$&')}\${}`, completion);
    });
}

function valuesOf(facts: PropertyFacts | undefined, item: boolean): readonly (string | number | boolean)[] {
  const { type, options } = facts?.editor ?? {};
  if (type === 'switch') {
    return [true, false];
  }
  if (type === 'choice' || (item && type === 'tags')) {
    return options ?? [];
  }
  return facts?.fallback === undefined ? [] : [facts.fallback];
}

/** Returns the schema of the object at a path; undefined where there is no object of the contract. */
export function schemaAt(schema: SchemaName, path: readonly string[]): SchemaName | undefined {
  if (path.length === 0) {
    return schema;
  }
  const editor = factsOf(schema, path)?.editor;
  const last = path.at(-1) ?? '';
  return editor?.type === 'group' || (editor?.type === 'rows' && /^\d+$/.test(last))
    ? editor.schema
    : undefined;
}

/** Returns what the contract says of the field at a path; an item has the facts of its list. */
export function factsOf(schema: SchemaName, path: readonly string[]): PropertyFacts | undefined {
  let inside: SchemaName | undefined = schema;
  let facts: PropertyFacts | undefined;
  for (const step of path) {
    if (inside === undefined) {
      // An item of a list.
      if (!/^\d+$/.test(step) || facts === undefined) {
        return undefined;
      }
      inside = facts.editor?.type === 'rows' ? facts.editor.schema : undefined;
      continue;
    }
    const { properties }: { properties: Readonly<Record<string, PropertyFacts>> } = contractFacts[inside];
    facts = Object.hasOwn(properties, step) ? properties[step] : undefined;
    if (facts === undefined) {
      return undefined;
    }
    inside = facts.editor?.type === 'group' ? facts.editor.schema : undefined;
  }
  return facts;
}

function kindOfValue({ editor }: PropertyFacts): string {
  switch (editor?.type) {
    case 'rows':
      return t('list of objects');
    case 'tags':
    case 'numbers':
      return t('list');
    case 'group':
    case 'pairs':
    case 'json':
      return t('object');
    case 'number':
      return t('number');
    case 'switch':
      return t('true or false');
    case 'choice':
      return t('choice');
    default:
      return t('text');
  }
}

function description(name: string, facts: PropertyFacts): HTMLElement {
  const box = document.createElement('div');
  box.className = 'cm-contract-help';
  const line = (text: string, tag: 'strong' | 'div' = 'div') => {
    const element = document.createElement(tag);
    element.textContent = text;
    box.append(element);
  };
  line(name, 'strong');
  line(listed([kindOfValue(facts), ...(facts.required ? [t('required')] : []), ...limits(facts)]));
  if (facts.description !== undefined) {
    line(translateContract(facts.description));
  }
  if (facts.editor?.options !== undefined) {
    line(t('Possible: {options}', { options: listed(facts.editor.options) }));
  }
  return box;
}

function limits({ minimum, maximum, fallback }: PropertyFacts): readonly string[] {
  const range =
    minimum !== undefined && maximum !== undefined
      ? [t('{minimum} to {maximum}', { minimum, maximum })]
      : minimum !== undefined
        ? [t('at least {minimum}', { minimum })]
        : maximum !== undefined
          ? [t('at most {maximum}', { maximum })]
          : [];
  return [...range, ...(fallback === undefined ? [] : [t('default {value}', { value: String(fallback) })])];
}
