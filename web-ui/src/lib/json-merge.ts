import { pointerOf } from '@/lib/json-pointer';

export type Side = 'mine' | 'theirs';

/** Where something is: names of fields, and items by what identifies them, or by their place. */
export type MergePath = readonly string[];

/** A change that only one side made, or both in the same way. */
export interface MergedChange {
  readonly path: MergePath;
  readonly by: Side | 'both';
  /** Undefined where there was no such field. */
  readonly before: unknown;
  readonly after: unknown;
}

/** A field that both sides changed, each in another way. */
export interface MergeConflict {
  readonly path: MergePath;
  /** What a choice names it by. */
  readonly key: string;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export interface Merge {
  readonly value: unknown;
  readonly changes: readonly MergedChange[];
  readonly conflicts: readonly MergeConflict[];
}

type Tree = Readonly<Record<string, unknown>>;
type List = readonly unknown[];

/** What identifies the items of a list, the first one that all of them have. */
const IDENTITIES = ['id', 'url', 'name', 'username', 'upstreamId', 'header', 'key'] as const;

const NO_CHOICES: ReadonlyMap<string, Side> = new Map();

/**
 * Merges two changes of the same JSON object. What one side alone changed is taken. Where both changed the same field,
 * `chosen` says which side counts, by the key of the conflict; mine until then.
 */
export function mergeJson(
  base: unknown,
  mine: unknown,
  theirs: unknown,
  chosen: ReadonlyMap<string, Side> = NO_CHOICES,
): Merge {
  const changes: MergedChange[] = [];
  const conflicts: MergeConflict[] = [];

  const decide = (path: MergePath, before: unknown, own: unknown, other: unknown): unknown => {
    if (isSame(own, other)) {
      if (!isSame(before, own)) {
        changes.push({ path, by: 'both', before, after: own });
      }
      return own;
    }
    if (isSame(before, own)) {
      changes.push({ path, by: 'theirs', before, after: other });
      return other;
    }
    if (isSame(before, other)) {
      changes.push({ path, by: 'mine', before, after: own });
      return own;
    }
    const key = pointerOf(path);
    conflicts.push({ path, key, base: before, mine: own, theirs: other });
    return chosen.get(key) === 'theirs' ? other : own;
  };

  const merge = (path: MergePath, before: unknown, own: unknown, other: unknown): unknown => {
    if (isTree(own) && isTree(other) && (before === undefined || isTree(before))) {
      return mergeTrees(path, before ?? {}, own, other);
    }
    if (Array.isArray(own) && Array.isArray(other) && (before === undefined || Array.isArray(before))) {
      return mergeLists(path, (before ?? []) as List, own as List, other as List);
    }
    return decide(path, before, own, other);
  };

  const mergeTrees = (path: MergePath, before: Tree, own: Tree, other: Tree): Tree => {
    const names = new Set([...Object.keys(own), ...Object.keys(other), ...Object.keys(before)]);
    const merged = [...names].map(
      (name) => [name, merge([...path, name], before[name], own[name], other[name])] as const,
    );
    return Object.fromEntries(merged.filter(([, value]) => value !== undefined));
  };

  const mergeLists = (path: MergePath, before: List, own: List, other: List): unknown => {
    if (isSame(own, other) || isSame(before, own) || isSame(before, other)) {
      return decide(path, before, own, other);
    }
    const keyed = byKey(before, own, other);
    const order = keyed && orderOf(keyed);
    if (keyed !== undefined && order !== undefined) {
      return order
        .map((key) => merge([...path, key], keyed.base.get(key), keyed.mine.get(key), keyed.theirs.get(key)))
        .filter((item) => item !== undefined);
    }
    if (before.length === own.length && own.length === other.length && own.every(isTree)) {
      return own.map((item, i) => merge([...path, String(i)], before[i], item, other[i]));
    }
    return decide(path, before, own, other);
  };

  return { value: merge([], base, mine, theirs), changes, conflicts };
}

interface Keyed {
  readonly base: ReadonlyMap<string, unknown>;
  readonly mine: ReadonlyMap<string, unknown>;
  readonly theirs: ReadonlyMap<string, unknown>;
}

/** Returns the items by what identifies them; undefined where nothing does. */
function byKey(base: List, mine: List, theirs: List): Keyed | undefined {
  const all = [...base, ...mine, ...theirs];
  const identity = IDENTITIES.find((name) =>
    all.every((item) => isTree(item) && typeof item[name] === 'string'),
  );
  if (identity === undefined && all.some((item) => typeof item === 'object')) {
    return undefined;
  }
  const keys = (list: List) =>
    new Map(
      list.map((item) => [String(identity !== undefined && isTree(item) ? item[identity] : item), item]),
    );
  const keyed = { base: keys(base), mine: keys(mine), theirs: keys(theirs) };
  const unique =
    keyed.base.size === base.length && keyed.mine.size === mine.length && keyed.theirs.size === theirs.length;
  return unique ? keyed : undefined;
}

/** Returns the keys of all items in an order that both sides allow; undefined where both changed it. */
function orderOf({ base, mine, theirs }: Keyed): readonly string[] | undefined {
  const inOrder = (of: ReadonlyMap<string, unknown>, ...others: ReadonlyMap<string, unknown>[]) =>
    [...of.keys()].filter((key) => others.every((other) => other.has(key)));
  if (
    isSame(inOrder(mine, theirs), inOrder(theirs, mine)) ||
    isSame(inOrder(base, theirs), inOrder(theirs, base))
  ) {
    return withInserted([...mine.keys()], [...theirs.keys()]);
  }
  return isSame(inOrder(base, mine), inOrder(mine, base))
    ? withInserted([...theirs.keys()], [...mine.keys()])
    : undefined;
}

/** Puts each key that `more` has alone behind the one that is before it there. */
function withInserted(keys: readonly string[], more: readonly string[]): readonly string[] {
  const order = [...keys];
  more.forEach((key, i) => {
    if (!order.includes(key)) {
      const previous = more[i - 1];
      order.splice(previous === undefined ? 0 : order.indexOf(previous) + 1, 0, key);
    }
  });
  return order;
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two values are the same JSON, whatever the order of their fields. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, i) => isSame(item, other[i]));
  }
  if (isTree(one) && isTree(other)) {
    return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) =>
      isSame(one[name], other[name]),
    );
  }
  return one === other;
}
