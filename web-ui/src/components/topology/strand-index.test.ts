import { describe, expect, it } from 'vitest';
import type { Strand } from '@/components/topology/lane-rows';
import { sightOf } from '@/components/topology/paint';
import { strandIndexOf, tiesOf, type Sight, type Tie } from '@/components/topology/strand-index';
import { perLane } from '@/lib/topology';

const strand = (from: number, to: number, requests = 0, more: Partial<Strand> = {}): Strand => ({
  lane: 'routers',
  into: 'routes',
  from,
  to,
  lines: [],
  flow: { requests, failed: requests > 2 ? 1 : 0 },
  off: false,
  ...more,
});

function seen(strands: readonly Strand[], routers: Sight, routes: Sight, lit?: ReadonlySet<Strand>) {
  const sights = perLane((lane) => (lane === 'routers' ? routers : lane === 'routes' ? routes : nothing));
  return tiesOf(strandIndexOf(strands, lit), sights);
}
const nothing: Sight = { begin: 0, end: 0 };
const ends = (ties: readonly Tie[]) => ties.map(({ from, to }) => `${from} ${to}`).sort();

describe('the lines that can be seen', () => {
  it('are those between rows in sight, and one to all rows on each side that are out of sight', () => {
    const strands = Array.from({ length: 1_000 }, (_, to) => strand(0, to, 1));
    const ties = seen(strands, { begin: 0, end: 1 }, { begin: 500, end: 502 });
    expect(ends(ties)).toEqual(['0 500', '0 501', '0 above', '0 below']);
    expect(ties.find(({ to }) => to === 'above')?.flow).toEqual({ requests: 500, failed: 0 });
    expect(ties.find(({ to }) => to === 'below')?.flow).toEqual({ requests: 498, failed: 0 });
  });

  it('come to a row in sight from rows that are out of sight', () => {
    const ties = seen(
      [strand(0, 3, 5), strand(1, 3, 7, { off: true }), strand(9, 3), strand(9, 4)],
      { begin: 2, end: 4 },
      { begin: 3, end: 4 },
    );
    expect(ends(ties)).toEqual(['above 3', 'below 3']);
    expect(ties.find(({ from }) => from === 'above')).toMatchObject({
      flow: { requests: 12, failed: 2 },
      off: false,
    });
  });

  it('are none where both ends are out of sight', () => {
    expect(seen([strand(0, 9)], { begin: 1, end: 5 }, { begin: 0, end: 5 })).toEqual([]);
  });

  it('are lit with one of theirs', () => {
    const strands = [strand(0, 0), strand(0, 7), strand(0, 8)];
    const lit = new Set(strands.slice(2));
    const ties = seen(strands, { begin: 0, end: 1 }, { begin: 0, end: 1 }, lit);
    expect(ties.map(({ to, lit: bright }) => [to, bright])).toEqual([
      [0, false],
      ['below', true],
    ]);
  });

  it('lead past a lane, where routers of connections have no routes', () => {
    const ties = tiesOf(
      strandIndexOf([strand(0, 1, 3, { into: 'proxy-passes' })], undefined),
      perLane((lane) => ({ begin: 0, end: lane === 'routes' ? 0 : 2 })),
    );
    expect(ties).toMatchObject([{ lane: 'routers', into: 'proxy-passes', from: 0, to: 1 }]);
  });
});

describe('the rows in sight', () => {
  it.each([
    ['at the top', { top: 0, bottom: 108, first: 27, rows: 9 }, { begin: 0, end: 2 }],
    ['scrolled by a row', { top: 0, bottom: 108, first: -27, rows: 9 }, { begin: 1, end: 3 }],
    ['fewer than there is room for', { top: 0, bottom: 540, first: 27, rows: 3 }, { begin: 0, end: 3 }],
    ['none', { top: 0, bottom: 540, first: 27, rows: 0 }, { begin: 0, end: 0 }],
  ])('are those with their middle in it: %s', (_, place, sight) => {
    expect(sightOf(place)).toEqual(sight);
  });
});
