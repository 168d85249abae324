import { contractFacts, type SchemaName } from '#contract';
import type { FieldError } from '#client';
import {
  isDraft,
  objectOf,
  pairsOf,
  rowsOf,
  tagsOf,
  textOf,
  valueAt,
  type Draft,
  type DraftValue,
  type Path,
} from '@/components/form/draft';
import { labelOf } from '@/components/form/label-of';
import { inFormLabels, labelsOf } from '@/components/form/field-labels';
import { messageOf, placeOf, type Labelled } from '@/components/form/field-messages';
import type { AnyField, AnyShape, FormSpec } from '@/components/form/field-types';
import { pointerOf, stepsOf } from '@/lib/json-pointer';
import { t } from '@/locales';

/** What is wrong with each field, by the JSON pointer of the field. */
export type FieldErrors = ReadonlyMap<string, string>;

export interface LocatedErrors {
  readonly byField: FieldErrors;
  /** What no field shows. */
  readonly elsewhere: readonly FieldError[];
}

/** Puts each error on the field that its pointer names, or on the closest one around it. */
export function locateErrors(spec: FormSpec, draft: Draft, errors: readonly FieldError[]): LocatedErrors {
  const byField = new Map<string, string>();
  const elsewhere: FieldError[] = [];
  for (const error of errors) {
    const path = closestField(spec.fields, draft, stepsOf(error.pointer));
    if (path === undefined) {
      elsewhere.push(error);
    } else {
      const pointer = pointerOf(path);
      const known = byField.get(pointer);
      const within = stepsOf(error.pointer).slice(path.length);
      const field = fieldAt(spec.fields, path);
      // What is edited as one text has to say where in it.
      const place =
        within.length > 0 && field?.type === 'json'
          ? `${t('{place}:', { place: placeOf(pointerOf(within)) })} `
          : '';
      const message = place + messageOf(error, labelled(spec, field, path, within));
      byField.set(
        pointer,
        known === undefined
          ? message
          : /[.。]$/.test(known)
            ? t('{first} {second}', { first: known, second: message })
            : t('{first}; {second}', { first: known, second: message }),
      );
    }
  }
  return { byField, elsewhere };
}

/** How the form calls what an error is about: a field, a row of a map by its key, or what is in a field but has none. */
function labelled(
  spec: FormSpec,
  field: AnyField | undefined,
  path: Path,
  within: readonly string[],
): Labelled {
  const inner = within.findLast((step) => !/^\d+$/.test(step));
  const own = field?.type === 'pairs' ? undefined : inner;
  return {
    label: own === undefined ? (field?.label ?? labelOf(String(path.at(-1)))) : labelOf(own),
    field: own === undefined ? field : undefined,
    say: (text) => inFormLabels(text, labelsOf(spec)),
  };
}

function fieldAt(shape: AnyShape, path: Path): AnyField | undefined {
  const [step, ...rest] = path;
  const field = step === undefined ? undefined : shape[step];
  if (rest.length === 0) {
    return field;
  }
  switch (field?.type) {
    case 'group':
      return fieldAt(field.fields, rest);
    case 'rows':
      return rest.length === 1 ? field : fieldAt(field.fields, rest.slice(1));
    default:
      return field;
  }
}

function closestField(shape: AnyShape, draft: DraftValue, steps: readonly string[]): Path | undefined {
  const [step, ...rest] = steps;
  const field = step === undefined ? undefined : shape[step];
  if (step === undefined || field === undefined) {
    return undefined;
  }
  return [step, ...withinField(field, valueAt(draft, [step]), rest)];
}

function withinField(field: AnyField, value: DraftValue, steps: readonly string[]): Path {
  const [step, ...rest] = steps;
  if (step === undefined) {
    return [];
  }
  switch (field.type) {
    case 'group':
      // A group that is not there has no fields on the page to show it.
      return (
        (isDraft(value) || field.presence === 'always'
          ? closestField(field.fields, value, steps)
          : undefined) ?? []
      );
    case 'rows':
      return rowsOf(value)[Number(step)] === undefined
        ? []
        : [step, ...(closestField(field.fields, valueAt(value, [step]), rest) ?? firstOf(field.fields))];
    case 'pairs': {
      const row = pairsOf(value).findIndex((pair) => pair.key === step);
      return row < 0 ? [] : [row];
    }
    default:
      return [];
  }
}

/** A row as a whole has no place for an error: its first field takes it. */
function firstOf(shape: AnyShape): Path {
  return Object.keys(shape).slice(0, 1);
}

/** Finds what needs no control plane to be seen: required fields that are empty, and rows of one map with the same key. */
export function missingFields(spec: FormSpec, draft: Draft): FieldErrors {
  const found = new Map<string, string>();
  visit(spec.schema, spec.fields, draft, [], found);
  for (const { alternatives = [] } of spec.sections) {
    const [first] = alternatives;
    if (first !== undefined && alternatives.every(({ field }) => isEmpty(draft[field]))) {
      found.set(pointerOf([first.field]), t('Required'));
    }
  }
  return found;
}

function visit(
  schema: SchemaName,
  shape: AnyShape,
  draft: Draft,
  at: Path,
  found: Map<string, string>,
): void {
  for (const [key, field] of Object.entries(shape)) {
    const value = draft[key];
    const path = [...at, key];
    if (contractFacts[schema].properties[key]?.required === true && isEmpty(value)) {
      found.set(pointerOf(path), t('Required'));
    } else if (field.type === 'json' && textOf(value).trim() !== '' && objectOf(value) === undefined) {
      found.set(
        pointerOf(path),
        t('This is not a JSON object. Example: {example}', { example: '{ "name": 1 }' }),
      );
    } else if (field.type === 'group' && isDraft(value)) {
      visit(field.schema, field.fields, value, path, found);
    } else if (field.type === 'rows') {
      rowsOf(value).forEach((row, index) => visit(field.schema, field.fields, row, [...path, index], found));
    } else if (field.type === 'pairs') {
      visitPairs(value, path, found);
    }
  }
}

function visitPairs(value: DraftValue, path: Path, found: Map<string, string>): void {
  const keys = pairsOf(value).map((pair) => pair.key);
  pairsOf(value).forEach((pair, index) => {
    if (pair.key === '' && pair.value !== '') {
      found.set(pointerOf([...path, index]), t('Required'));
    } else if (pair.key !== '' && keys.indexOf(pair.key) < index) {
      found.set(pointerOf([...path, index]), t('A row above is the same'));
    }
  });
}

export function isEmpty(value: DraftValue): boolean {
  return (
    value === undefined ||
    value === '' ||
    (Array.isArray(value) && tagsOf(value).length + rowsOf(value).length === 0)
  );
}
