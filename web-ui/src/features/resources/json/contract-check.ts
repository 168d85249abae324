import { contractFacts, type PropertyFacts, type SchemaName } from '#contract';
import { labelOf } from '@/components/form/label-of';
import type { Remark } from '@/features/resources/json/json-editor';
import { pointerOf } from '@/lib/json-pointer';
import { listed, t } from '@/locales';

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
    .map(([name]) => remark([...path, name], t('{label} is required.', { label: labelOf(name) })));
  const wrong = Object.entries(object).flatMap(([name, value]: [string, unknown]) => {
    const facts = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return facts === undefined
      ? [{ ...remark([...path, name], t('There is no field “{name}” here.', { name })), of: 'name' as const }]
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
  const must = (sentence: string) => [remark(path, sentence)];
  const items = Array.isArray(value) ? (value as readonly unknown[]) : undefined;
  switch (type) {
    case 'number':
      return typeof value === 'number'
        ? inRange(label, facts, value, path)
        : must(t('{label} must be a number.', { label }));
    case 'switch':
      return typeof value === 'boolean' ? [] : must(t('{label} must be true or false.', { label }));
    case 'text':
    case 'multiline':
      return typeof value === 'string' ? [] : must(t('{label} must be a text.', { label }));
    case 'choice':
      return options?.includes(value as string) === true
        ? []
        : must(t('{label} must be one of: {options}.', { label, options: listed(options ?? []) }));
    case 'tags':
      return items === undefined
        ? must(t('{label} must be a list of texts.', { label }))
        : items.flatMap((item, i) =>
            typeof item !== 'string'
              ? [remark([...path, i], t('{label} must be a list of texts.', { label }))]
              : options === undefined || options.includes(item)
                ? []
                : [
                    remark(
                      [...path, i],
                      t('{label} can have: {options}.', { label, options: listed(options) }),
                    ),
                  ],
          );
    case 'numbers':
      return items === undefined ? must(t('{label} must be a list.', { label })) : [];
    case 'rows':
      return items === undefined
        ? must(t('{label} must be a list of objects.', { label }))
        : items.flatMap((item, i) =>
            isMap(item) && schema !== undefined
              ? inObject(schema, item, [...path, i])
              : [remark([...path, i], t('{label} must be a list of objects.', { label }))],
          );
    case 'group':
      return isMap(value) && schema !== undefined
        ? inObject(schema, value, path)
        : must(t('{label} must be an object.', { label }));
    case 'pairs':
    case 'json':
      return isMap(value) ? [] : must(t('{label} must be an object.', { label }));
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
      ? t('{label} must be at most {maximum}.', { label, maximum: String(maximum) })
      : maximum === undefined
        ? t('{label} must be at least {minimum}.', { label, minimum })
        : t('{label} must be between {minimum} and {maximum}.', { label, minimum, maximum });
  return [remark(path, bounds)];
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function remark(path: Path, message: string): Remark {
  return { pointer: pointerOf(path), message, severity: 'error' };
}
