import type { AnyField, AnyShape } from '@/components/form/field-types';

/** What the form holds while a person types: the resource, with maps as rows and numbers that may be empty. */
export interface Draft {
  readonly [key: string]: DraftValue;
}
export type DraftValue = undefined | string | number | boolean | readonly string[] | readonly Draft[] | Draft;
export interface Pair {
  readonly key: string;
  readonly value: string;
}
export type Path = readonly (string | number)[];

export function isDraft(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function pairsOf(value: DraftValue): readonly Pair[] {
  return rowsOf(value).map((row) => ({ key: textOf(row.key), value: textOf(row.value) }));
}

export function rowsOf(value: DraftValue): readonly Draft[] {
  return Array.isArray(value) ? (value as readonly DraftValue[]).filter(isDraft) : [];
}

export function tagsOf(value: DraftValue): readonly string[] {
  return Array.isArray(value)
    ? (value as readonly DraftValue[]).filter((item) => typeof item === 'string')
    : [];
}

export function textOf(value: DraftValue): string {
  return typeof value === 'string' ? value : '';
}

/** Returns the object that this JSON describes, undefined when it is none. */
export function objectOf(value: DraftValue): object | undefined {
  try {
    const parsed: unknown = JSON.parse(textOf(value));
    return isDraft(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

export function valueAt(draft: DraftValue, path: Path): DraftValue {
  return path.reduce<DraftValue>((value, step) => {
    if (Array.isArray(value)) {
      return (value as readonly DraftValue[])[Number(step)];
    }
    return isDraft(value) ? value[step] : undefined;
  }, draft);
}

/**
 * Returns a copy in which the value at the path is another. What is missing on the way is made: a list where the path counts, an
 * object where it names.
 */
export function withValueAt(draft: DraftValue, path: Path, next: DraftValue): DraftValue {
  const [step, ...rest] = path;
  if (step === undefined) {
    return next;
  }
  if (typeof step === 'number') {
    const items = Array.isArray(draft) ? [...(draft as readonly DraftValue[])] : [];
    items[step] = withValueAt(items[step], rest, next);
    return items as readonly Draft[];
  }
  const object = isDraft(draft) ? draft : {};
  return { ...object, [step]: withValueAt(object[step], rest, next) };
}

/** Returns the draft that edits this resource. What the shape does not know is kept as it is. */
export function toDraft(shape: AnyShape, resource: object): Draft {
  const draft: Record<string, DraftValue> = { ...(resource as Draft) };
  for (const [key, field] of Object.entries(shape)) {
    draft[key] = draftOf(field, draft[key]);
  }
  return draft;
}

function draftOf(field: AnyField, value: DraftValue): DraftValue {
  switch (field.type) {
    case 'pairs':
      return isDraft(value)
        ? Object.entries(value).map(([key, entry]) => ({ key, value: entry }))
        : undefined;
    case 'json':
      return value === undefined ? undefined : JSON.stringify(value, null, 2);
    case 'rows':
      return rowsOf(value).map((row) => toDraft(field.fields, row));
    case 'tags':
      return Array.isArray(value) ? (value as readonly unknown[]).map(String) : undefined;
    case 'group':
      return isDraft(value) ? toDraft(field.fields, value) : undefined;
    default:
      return value;
  }
}

/** Returns the resource that this draft describes; what is empty is left out, so that the contract's defaults hold. */
export function toResource(shape: AnyShape, draft: Draft): Record<string, unknown> {
  const resource: Record<string, unknown> = { ...draft };
  for (const [key, field] of Object.entries(shape)) {
    const value = valueOf(field, draft[key]);
    if (value === undefined) {
      // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- the keys are the contract's
      delete resource[key];
    } else {
      resource[key] = value;
    }
  }
  return resource;
}

function valueOf(field: AnyField, value: DraftValue): unknown {
  switch (field.type) {
    case 'pairs': {
      const pairs = pairsOf(value).filter(({ key, value: entry }) => key !== '' || entry !== '');
      return pairs.length === 0 ? undefined : Object.fromEntries(pairs.map((pair) => [pair.key, pair.value]));
    }
    case 'json':
      return value === undefined || textOf(value).trim() === '' ? undefined : (objectOf(value) ?? value);
    case 'rows': {
      const rows = rowsOf(value).map((row) => toResource(field.fields, row));
      return rows.length === 0 ? undefined : rows;
    }
    case 'tags': {
      const tags = tagsOf(value).filter((tag) => tag !== '');
      if (tags.length === 0) {
        return undefined;
      }
      // What is no number is sent as it was typed, so that the answer can say so at the field.
      return field.numeric === true ? tags.map((tag) => (/^\d+$/.test(tag) ? Number(tag) : tag)) : tags;
    }
    case 'group': {
      if (!isDraft(value)) {
        return undefined;
      }
      const object = toResource(field.fields, value);
      return field.presence === 'always' && Object.keys(object).length === 0 ? undefined : object;
    }
    default:
      // A text that is there and empty says something, such as the value of a cookie; one that a person empties is not there.
      return value;
  }
}
