import { pointerOf, stepsOf } from '@/lib/json-pointer';

export interface FieldChange {
  readonly pointer: string;
  /** As JSON; undefined where there was no such field. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Returns the fields in which two JSON objects differ, one line for each leaf, in the order of names and items. */
export function jsonDiff(before: unknown, after: unknown): readonly FieldChange[] {
  return compare(before, after, []);
}

function compare(before: unknown, after: unknown, path: readonly string[]): readonly FieldChange[] {
  if (isTree(before) && isTree(after) && Array.isArray(before) === Array.isArray(after)) {
    return Array.isArray(before) && Array.isArray(after)
      ? compareLists(before, after, path)
      : compareObjects(before, after, path);
  }
  return diffOf(leaves(before, path), leaves(after, path));
}

function compareObjects(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  path: readonly string[],
): readonly FieldChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => compare(before[name], after[name], [...path, name]));
}

/** What came to a list or went from it is told as that, not as a change of each item behind it; the control plane does the same. */
function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: readonly string[],
): readonly FieldChange[] {
  let old = before.length;
  let now = after.length;
  if (old !== now) {
    const least = Math.min(old, now);
    let first = 0;
    while (first < least && isSame(before[first], after[first])) {
      first++;
    }
    while (Math.min(old, now) > first && isSame(before[old - 1], after[now - 1])) {
      old--;
      now--;
    }
  }
  return Array.from({ length: Math.max(old, now) }, (_, i) =>
    compare(i < old ? before[i] : undefined, i < now ? after[i] : undefined, [...path, String(i)]),
  ).flat();
}

function isSame(before: unknown, after: unknown): boolean {
  // Some path: what is no object is told only of a field.
  return compare(before, after, ['item']).length === 0;
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
  if (isTree(value)) {
    for (const [key, inner] of Object.entries(value)) {
      collect(inner, [...path, key], found);
    }
  } else if (value !== undefined && path.length > 0) {
    found.set(pointerOf(path), JSON.stringify(value));
  }
}

/** Returns whether there is more than one change to tell of it; a list of texts reads better as one than as one for each place. */
function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length > 0 &&
    !(Array.isArray(value) && value.every((item) => typeof item !== 'object' || item === null))
  );
}
