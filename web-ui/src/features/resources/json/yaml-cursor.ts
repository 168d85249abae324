import type { Cursor } from '@/features/resources/json/text-format';

interface Line {
  /** Where each "- " stands. */
  readonly dashes: readonly number[];
  /** Where the name, or the text, begins. */
  readonly column: number;
  readonly name: string | undefined;
}

const LINE = /^(\s*)((?:- +)*)(?:(["']?)([^"'#:\s][^"':]*?)\3\s*:(?=\s|$))?/;

/**
 * Returns where the cursor is in a text in YAML, by names and indents, as a text that somebody types is seldom complete. What is
 * written in the style of JSON has no cursor.
 */
export function yamlCursor(
  lines: readonly string[],
  index: number,
  offset: number,
  lineStart: number,
): Cursor | undefined {
  const text = lines[index] ?? '';
  const before = text.slice(0, offset);
  const line = read(text);
  if (/^\s*#/.test(text) || /[[{]/.test(before)) {
    return undefined;
  }
  const typed = /^(\s*(?:- +)*)(["']?[\w$-]*)$/.exec(before);
  const behind = line.name === undefined ? undefined : /^(\s*(?:- +)*[^:]*:)\s+(\S*)$/.exec(before);
  if (behind !== null && behind !== undefined) {
    const from = offset - (behind[2]?.length ?? 0);
    return {
      path: pathTo(lines, index, line),
      writes: 'value',
      field: line.name,
      names: new Set(),
      valued: true,
      from: lineStart + from,
      to: lineStart + offset,
    };
  }
  if (typed === null) {
    return undefined;
  }
  const from = typed[1]?.length ?? 0;
  const here: Line = { dashes: line.dashes.filter((dash) => dash < offset), column: from, name: undefined };
  const nameEnd = line.name === undefined ? offset : text.indexOf(':');
  return {
    path: pathTo(lines, index, here),
    writes: 'name',
    names: siblings(lines, index, here),
    valued: line.name !== undefined,
    from: lineStart + from,
    to: lineStart + Math.max(offset, nameEnd),
  };
}

function read(text: string): Line {
  const [, indent = '', dashes = '', , name] = LINE.exec(text) ?? [];
  const places = [...dashes.matchAll(/-/g)].map(({ index }) => indent.length + index);
  return { dashes: places, column: indent.length + dashes.length, name };
}

function isBlank(text: string | undefined): boolean {
  return text === undefined || /^\s*(#.*)?$/.test(text);
}

/** Returns the names and indexes that lead to the object or list that a line belongs to. */
function pathTo(lines: readonly string[], index: number, start: Line): readonly string[] {
  let path = outOfItems(start, start.column);
  let column = path.length > 0 ? (start.dashes[0] ?? start.column) : start.column;
  for (let i = index - 1; i >= 0 && (column > 0 || path[0] === ITEM); i--) {
    const line = read(lines[i] ?? '');
    // Behind an item comes its list, whose name may stand in the same column.
    const inList = path[0] === ITEM;
    if (isBlank(lines[i]) || (inList && line.dashes.includes(column))) {
      continue;
    }
    const owns = line.name !== undefined && (line.column < column || (inList && line.column === column));
    if (owns || line.column === column) {
      const out = outOfItems(line, column);
      path = [...out, ...(owns ? [line.name] : []), ...path];
      column = out.length > 0 ? (line.dashes[0] ?? column) : owns ? line.column : column;
    }
  }
  return path;
}

const ITEM = '0';

/** A step for each list whose item begins in this line, left of a column. */
function outOfItems({ dashes }: Line, column: number): readonly string[] {
  return dashes.filter((dash) => dash < column).map(() => ITEM);
}

/** Returns the names that stand beside the one at this place. */
function siblings(lines: readonly string[], index: number, here: Line): ReadonlySet<string> {
  const names = new Set<string>();
  const scan = (from: number, step: 1 | -1) => {
    for (let i = from; i >= 0 && i < lines.length; i += step) {
      if (isBlank(lines[i])) {
        continue;
      }
      const line = read(lines[i] ?? '');
      const begins = line.dashes.length > 0 && (line.dashes.at(-1) ?? 0) < here.column;
      if (line.column < here.column || (step === 1 && begins)) {
        return;
      }
      if (line.column === here.column && line.name !== undefined) {
        names.add(line.name);
      }
      if (step === -1 && begins && line.column === here.column) {
        return;
      }
    }
  };
  if (here.dashes.length === 0) {
    scan(index - 1, -1);
  }
  scan(index + 1, 1);
  return names;
}
