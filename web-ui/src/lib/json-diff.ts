import { pointerOf, stepsOf } from '@/lib/json-pointer';

export interface FieldChange {
  readonly pointer: string;
  /** As JSON; undefined where there was no such field. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Returns the fields in which two JSON objects differ, one line for each leaf, ordered by pointer. */
export function jsonDiff(before: unknown, after: unknown): readonly FieldChange[] {
  return diffOf(leaves(before), leaves(after));
}

function diffOf(old: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): readonly FieldChange[] {
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((pointer) => old.get(pointer) !== now.get(pointer))
    .sort()
    .map((pointer) => ({ pointer, before: old.get(pointer), after: now.get(pointer) }));
}

interface ToldChange {
  readonly pointer: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Returns changes as the control plane tells them, one line for each leaf of what came or went as a whole. */
export function toldDiff(changes: readonly ToldChange[]): readonly FieldChange[] {
  return changes.flatMap(({ pointer, before, after }) => {
    if (before !== undefined && after !== undefined) {
      return [{ pointer, before: JSON.stringify(before), after: JSON.stringify(after) }];
    }
    const path = stepsOf(pointer);
    return diffOf(leaves(before, path), leaves(after, path));
  });
}

function leaves(value: unknown, path: readonly string[] = []): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  collect(value, path, found);
  return found;
}

function collect(value: unknown, path: readonly string[], found: Map<string, string>): void {
  if (
    typeof value === 'object' &&
    value !== null &&
    !isListOfPlainValues(value) &&
    Object.keys(value).length > 0
  ) {
    for (const [key, inner] of Object.entries<unknown>(value as Record<string, unknown>)) {
      collect(inner, [...path, key], found);
    }
  } else if (value !== undefined && path.length > 0) {
    found.set(pointerOf(path), JSON.stringify(value));
  }
}

/** A list of texts reads better as one change than as one for each place in it. */
function isListOfPlainValues(value: object): boolean {
  return Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null);
}
