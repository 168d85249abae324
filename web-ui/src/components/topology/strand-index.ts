import type { Strand } from '@/components/topology/lane-rows';
import type { Flow, Lane } from '@/lib/topology';

/** What leads from one row, or to one row, in the order of the rows at the other end. */
interface Bundle {
  readonly strands: readonly Strand[];
  /** The row at the other end of each strand. */
  readonly others: readonly number[];
  /** Sums over the strands before each place; one more than there are strands. */
  readonly requests: readonly number[];
  readonly failed: readonly number[];
  readonly off: readonly number[];
  readonly lit: readonly number[];
}

/** All strands from one lane into another. */
interface Span {
  readonly lane: Lane;
  readonly into: Lane;
  readonly from: ReadonlyMap<number, Bundle>;
  readonly to: ReadonlyMap<number, Bundle>;
}

/** Finds the strands of the rows in sight without a look at the others: there may be tens of thousands. */
export interface StrandIndex {
  readonly spans: readonly Span[];
  readonly busiest: number;
  /** The strands that are to be seen well; undefined for all. */
  readonly lit: ReadonlySet<Strand> | undefined;
}

/** The rows of a lane that are in sight; `end` is the one behind the last. */
export interface Sight {
  readonly begin: number;
  readonly end: number;
}

/** A line between two rows. */
export interface Tie {
  readonly lane: Lane;
  readonly into: Lane;
  /** The row, or `above` or `below` for all rows out of sight on that side. */
  readonly from: number | 'above' | 'below';
  readonly to: number | 'above' | 'below';
  readonly flow: Flow;
  readonly off: boolean;
  readonly lit: boolean;
}

export function strandIndexOf(strands: readonly Strand[], lit: ReadonlySet<Strand> | undefined): StrandIndex {
  const pairs = new Map<string, { lane: Lane; into: Lane; some: Strand[] }>();
  let busiest = 0;
  for (const strand of strands) {
    const { lane, into } = strand;
    busiest = Math.max(busiest, strand.flow.requests);
    const pair = pairs.get(`${lane} ${into}`);
    if (pair === undefined) {
      pairs.set(`${lane} ${into}`, { lane, into, some: [strand] });
    } else {
      pair.some.push(strand);
    }
  }
  const spans = [...pairs.values()].map(({ lane, into, some }) => ({
    lane,
    into,
    from: bundled(
      some,
      ({ from }) => from,
      ({ to }) => to,
      lit,
    ),
    to: bundled(
      some,
      ({ to }) => to,
      ({ from }) => from,
      lit,
    ),
  }));
  return { spans, busiest, lit };
}

function bundled(
  strands: readonly Strand[],
  rowOf: (strand: Strand) => number,
  otherOf: (strand: Strand) => number,
  lit: ReadonlySet<Strand> | undefined,
): ReadonlyMap<number, Bundle> {
  const byRow = new Map<number, Strand[]>();
  for (const strand of strands) {
    const row = byRow.get(rowOf(strand));
    if (row === undefined) {
      byRow.set(rowOf(strand), [strand]);
    } else {
      row.push(strand);
    }
  }
  return new Map(
    [...byRow].map(([row, some]) => {
      const sorted = some.sort((a, b) => otherOf(a) - otherOf(b));
      return [
        row,
        {
          strands: sorted,
          others: sorted.map(otherOf),
          requests: sums(sorted, ({ flow }) => flow.requests),
          failed: sums(sorted, ({ flow }) => flow.failed),
          off: sums(sorted, ({ off }) => (off ? 1 : 0)),
          lit: sums(sorted, (strand) => ((lit?.has(strand) ?? true) ? 1 : 0)),
        },
      ];
    }),
  );
}

function sums(strands: readonly Strand[], of: (strand: Strand) => number): readonly number[] {
  const all = [0];
  let sum = 0;
  for (const strand of strands) {
    sum += of(strand);
    all.push(sum);
  }
  return all;
}

/**
 * Returns the lines of which one end, or both, can be seen. All that leads from one row to rows out of sight on one side is one
 * line.
 */
export function tiesOf({ spans, lit }: StrandIndex, sights: Readonly<Record<Lane, Sight>>): readonly Tie[] {
  const ties: Tie[] = [];
  for (const span of spans) {
    const { lane, into } = span;
    const left = sights[lane];
    const right = sights[into];
    for (let row = left.begin; row < left.end; row++) {
      const bundle = span.from.get(row);
      if (bundle !== undefined) {
        const begin = placeOf(bundle.others, right.begin);
        const end = placeOf(bundle.others, right.end);
        for (const strand of bundle.strands.slice(begin, end)) {
          const { flow, off, to } = strand;
          ties.push({ lane, into, from: row, to, flow, off, lit: lit?.has(strand) ?? true });
        }
        addSum(ties, bundle, 0, begin, { lane, into, from: row, to: 'above' });
        addSum(ties, bundle, end, bundle.others.length, { lane, into, from: row, to: 'below' });
      }
    }
    for (let row = right.begin; row < right.end; row++) {
      const bundle = span.to.get(row);
      if (bundle !== undefined) {
        const end = placeOf(bundle.others, left.end);
        addSum(ties, bundle, 0, placeOf(bundle.others, left.begin), { lane, into, from: 'above', to: row });
        addSum(ties, bundle, end, bundle.others.length, { lane, into, from: 'below', to: row });
      }
    }
  }
  return ties;
}

function addSum(
  ties: Tie[],
  bundle: Bundle,
  begin: number,
  end: number,
  ends: Omit<Tie, 'flow' | 'off' | 'lit'>,
): void {
  if (begin < end) {
    const between = (all: readonly number[]) => (all[end] ?? 0) - (all[begin] ?? 0);
    ties.push({
      ...ends,
      flow: { requests: between(bundle.requests), failed: between(bundle.failed) },
      off: between(bundle.off) === end - begin,
      lit: between(bundle.lit) > 0,
    });
  }
}

/** Returns the place of the first number that is not below `least`. The numbers are in order. */
function placeOf(numbers: readonly number[], least: number): number {
  let from = 0;
  let to = numbers.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((numbers[middle] ?? 0) < least) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}
