import { contractFacts, type PropertyFacts, type SchemaName } from '#contract';
import type { AnyField, AnyShape, FormSpec, Section, Shape } from '@/components/form/field-types';
import { labelOf } from '@/components/form/label-of';
import { translateContract } from '@/locales/contract';
import { fieldInLanguage, sectionInLanguage } from '@/components/form/spec-language';

/**
 * Returns the form of one kind: the fields given, and for the other properties those that the contract suggests. So a
 * property that enters the contract can be edited at once, and gets a field of its own where that helps people.
 */
export function formSpec<T>(
  schema: SchemaName,
  fields: Partial<Shape<T>>,
  sections: readonly (Section & { readonly fields: readonly (keyof T & string)[] })[],
): FormSpec {
  const shape = contractShape(schema, fields);
  const placed = new Set<string>(sections.flatMap((section) => section.fields));
  const rest = Object.keys(shape).filter((key) => !placed.has(key));
  const more: readonly Section[] =
    rest.length === 0
      ? []
      : [
          {
            title: translateContract('More'),
            hint: translateContract('Rarely needed settings'),
            fields: rest,
            collapsed: true,
          },
        ];
  const all = [...sections.slice(0, -1), ...more, ...sections.slice(-1)];
  return { schema, fields: shape, sections: all.map(sectionInLanguage) };
}

/** Returns a field for every property of the schema that a form can edit. */
export function contractShape(schema: SchemaName, given: object = {}): AnyShape {
  const shape: Record<string, AnyField> = {};
  // The keys are those of the contract, from which the types of the fields are made as well.
  const own = given as Partial<Record<string, AnyField>>;
  for (const [key, facts] of Object.entries(contractFacts[schema].properties)) {
    const field = completed(own[key]) ?? fieldOf(key, facts);
    if (field !== undefined) {
      shape[key] = fieldInLanguage(field);
    }
  }
  return shape;
}

function completed(field: AnyField | undefined): AnyField | undefined {
  return field?.type === 'group' || field?.type === 'rows'
    ? { ...field, fields: contractShape(field.schema, field.fields) }
    : field;
}

function fieldOf(key: string, { editor, optional }: PropertyFacts): AnyField | undefined {
  const label = labelOf(key);
  const schema = editor?.schema;
  switch (editor?.type) {
    case 'number':
      return { type: 'number', label, unit: unitOf(key) };
    case 'switch':
      return { type: 'switch', label };
    case 'text':
      return { type: 'text', label, mono: true };
    case 'multiline':
      return { type: 'text', label, mono: true, multiline: true, wide: true };
    case 'choice':
      return {
        type: 'choice',
        label,
        options: (editor.options ?? []).map((value) => ({ value, label: wordsOf(value) })),
      };
    case 'tags':
      return { type: 'tags', label, ...(editor.options && { suggestions: editor.options }) };
    case 'numbers':
      return { type: 'tags', label, numeric: true };
    case 'pairs':
      return {
        type: 'pairs',
        label,
        keyLabel: translateContract('Name'),
        valueLabel: translateContract('Value'),
        row: 'entry',
      };
    case 'json':
      return { type: 'json', label };
    case 'rows':
      return schema === undefined
        ? undefined
        : { type: 'rows', label, schema, row: 'entry', optional: true, fields: contractShape(schema) };
    case 'group':
      return schema === undefined
        ? undefined
        : {
            type: 'group',
            label,
            schema,
            presence: schema.endsWith('Plugin') ? 'plugin' : optional === true ? 'optional' : 'always',
            fields: contractShape(schema),
          };
    default:
      return undefined;
  }
}

function unitOf(key: string): 'ms' | 's' | 'bytes' | undefined {
  if (key.endsWith('Millis') || key === 'millis') {
    return 'ms';
  }
  if (key.endsWith('Seconds')) {
    return 's';
  }
  return key.includes('Bytes') ? 'bytes' : undefined;
}

function wordsOf(value: string): string {
  const words = value.toLowerCase().replaceAll('_', ' ');
  return /^[A-Z_]+$/.test(value) ? words.charAt(0).toUpperCase() + words.slice(1) : value;
}
