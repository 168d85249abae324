import { contractFacts, type PropertyFacts, type SchemaName } from '#contract';
import { labelOf } from '@/components/form/label-of';
import type { Remark } from '@/features/resources/json/json-editor';
import { pointerOf } from '@/lib/json-pointer';

const REMARKS_MAX = 50;

/** Returns in what a resource is not as its schema says: unknown fields, wrong types, what is missing or out of range. */
export function contractRemarks(schema: SchemaName, resource: object): readonly Remark[] {
  return inObject(schema, resource, []).slice(0, REMARKS_MAX);
}

type Path = readonly (string | number)[];

function inObject(schema: SchemaName, object: object, path: Path): readonly Remark[] {
  const { properties } = contractFacts[schema];
  const missing = Object.entries(properties)
    .filter(([name, { required }]) => required && !Object.hasOwn(object, name))
    .map(([name]) => remark([...path, name], `${labelOf(name)} is required.`));
  const wrong = Object.entries(object).flatMap(([name, value]: [string, unknown]) => {
    const facts = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return facts === undefined
      ? [{ ...remark([...path, name], `There is no field “${name}” here.`), of: 'name' as const }]
      : inValue(labelOf(name), facts, value, [...path, name]);
  });
  return [...missing, ...wrong];
}

function inValue(label: string, facts: PropertyFacts, value: unknown, path: Path): readonly Remark[] {
  const { type, options, schema } = facts.editor ?? {};
  // Null stands for a field that is absent; the control plane says where it may not.
  if (value === null) {
    return [];
  }
  const must = (what: string) => [remark(path, `${label} must be ${what}.`)];
  const items = Array.isArray(value) ? (value as readonly unknown[]) : undefined;
  switch (type) {
    case 'number':
      return typeof value === 'number' ? inRange(label, facts, value, path) : must('a number');
    case 'switch':
      return typeof value === 'boolean' ? [] : must('true or false');
    case 'text':
    case 'multiline':
      return typeof value === 'string' ? [] : must('a text');
    case 'choice':
      return options?.includes(value as string) === true ? [] : must(`one of: ${(options ?? []).join(', ')}`);
    case 'tags':
      return items === undefined
        ? must('a list of texts')
        : items.flatMap((item, i) =>
            typeof item !== 'string'
              ? [remark([...path, i], `${label} must be a list of texts.`)]
              : options === undefined || options.includes(item)
                ? []
                : [remark([...path, i], `${label} can have: ${options.join(', ')}.`)],
          );
    case 'numbers':
      return items === undefined ? must('a list') : [];
    case 'rows':
      return items === undefined
        ? must('a list of objects')
        : items.flatMap((item, i) =>
            isMap(item) && schema !== undefined
              ? inObject(schema, item, [...path, i])
              : [remark([...path, i], `${label} must be a list of objects.`)],
          );
    case 'group':
      return isMap(value) && schema !== undefined ? inObject(schema, value, path) : must('an object');
    case 'pairs':
    case 'json':
      return isMap(value) ? [] : must('an object');
    default:
      return [];
  }
}

function inRange(
  label: string,
  { minimum, maximum }: PropertyFacts,
  value: number,
  path: Path,
): readonly Remark[] {
  if ((minimum === undefined || value >= minimum) && (maximum === undefined || value <= maximum)) {
    return [];
  }
  const bounds =
    minimum === undefined
      ? `at most ${String(maximum)}`
      : maximum === undefined
        ? `at least ${minimum}`
        : `between ${minimum} and ${maximum}`;
  return [remark(path, `${label} must be ${bounds}.`)];
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function remark(path: Path, message: string): Remark {
  return { pointer: pointerOf(path), message, severity: 'error' };
}
