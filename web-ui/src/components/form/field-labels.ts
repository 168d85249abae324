import { contractFacts, type SchemaName } from '#contract';
import { labelOf } from '@/components/form/label-of';
import type { AnyShape, FormSpec } from '@/components/form/field-types';

/** What a form calls the properties of each schema in it. */
export type FieldLabels = ReadonlyMap<SchemaName, ReadonlyMap<string, string>>;

const known = new WeakMap<FormSpec, FieldLabels>();

export function labelsOf(spec: FormSpec): FieldLabels {
  const labels = known.get(spec) ?? collected(spec);
  known.set(spec, labels);
  return labels;
}

function collected(spec: FormSpec): FieldLabels {
  const labels = new Map<SchemaName, Map<string, string>>();
  const visit = (schema: SchemaName, shape: AnyShape) => {
    const own = labels.get(schema) ?? new Map<string, string>();
    labels.set(schema, own);
    for (const [key, field] of Object.entries(shape)) {
      own.set(key, field.label);
      if (field.type === 'group' || field.type === 'rows') {
        visit(field.schema, field.fields);
      }
    }
  };
  visit(spec.schema, spec.fields);
  return labels;
}

/**
 * Returns a text of the contract as the form says it: the name of a property that stands between backticks becomes its label, which
 * is what people see.
 */
export function inLabels(text: string, schema: SchemaName, labels: FieldLabels): string {
  return text.replaceAll(/`([A-Za-z][A-Za-z0-9]*)`/g, (whole, name: string) => {
    const label = labels.get(schema)?.get(name) ?? labelElsewhere(name, labels);
    return label === undefined ? whole : `“${label}”`;
  });
}

/** Returns a text of an error as the form says it: names of properties that cannot be other words become labels. */
export function inFormLabels(text: string, labels: FieldLabels): string {
  return text.replaceAll(/\b[a-z]+(?:[A-Z][a-z0-9]*)+\b/g, (name) => {
    const label = labelElsewhere(name, labels);
    return label === undefined ? name : `“${label}”`;
  });
}

/** A property of another schema in the form. Words of one letter case are as likely to be values. */
function labelElsewhere(name: string, labels: FieldLabels): string | undefined {
  if (!/[a-z][A-Z]/.test(name)) {
    return undefined;
  }
  for (const own of labels.values()) {
    const label = own.get(name);
    if (label !== undefined) {
      return label;
    }
  }
  return Object.values(contractFacts).some(({ properties }) => Object.hasOwn(properties, name))
    ? labelOf(name)
    : undefined;
}
