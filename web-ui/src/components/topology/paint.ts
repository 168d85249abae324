import type { Strand } from '@/components/topology/lane-rows';
import { gravityOf, lanes, type Flow, type Lane } from '@/lib/topology';

/** The height of a row, with the space to the next. */
export const ROW_HEIGHT = 54;

/** Where a lane stands, in pixels of the drawing. */
export interface LanePlace {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Of the first row, which may be above the top. */
  readonly first: number;
}

export interface Paint {
  readonly strands: readonly Strand[];
  readonly places: Readonly<Record<Lane, LanePlace>>;
  readonly width: number;
  readonly height: number;
  readonly busiest: number;
  /** The strands that are to be seen well; undefined for all. */
  readonly lit: ReadonlySet<Strand> | undefined;
  readonly colors: Readonly<Record<'none' | 'good' | 'some' | 'bad', string>>;
}

const WIDTH_MIN = 1.25;
const WIDTH_MAX = 7;
const DIM = 0.12;
const OUT_OF_SIGHT = 0.35;

interface Curve {
  readonly lane: Lane;
  readonly from: number;
  readonly to: number;
  readonly flow: Flow;
  readonly off: boolean;
  readonly lit: boolean;
  /** One of its ends is scrolled out of its lane. */
  readonly beyond: boolean;
}

/** Draws the lines of which one end, or both, can be seen. */
export function paint(context: CanvasRenderingContext2D, paint: Paint): void {
  const curves = curvesOf(paint);
  context.clearRect(0, 0, paint.width, paint.height);
  // What matters is drawn last, over the rest.
  for (const curve of curves.sort((a, b) => weightOf(a) - weightOf(b))) {
    draw(context, curve, paint);
  }
}

function weightOf({ lit, flow }: Curve): number {
  return (lit ? 1e12 : 0) + flow.failed * 1e6 + flow.requests;
}

function curvesOf({ strands, places, lit }: Paint): Curve[] {
  const seen: Curve[] = [];
  const beyond = new Map<string, Curve>();
  for (const strand of strands) {
    const left = places[strand.lane];
    const right = places[nextOf(strand.lane)];
    const from = left.first + strand.from * ROW_HEIGHT;
    const to = right.first + strand.to * ROW_HEIGHT;
    const fromSeen = from > left.top && from < left.bottom;
    const toSeen = to > right.top && to < right.bottom;
    const one = { lane: strand.lane, flow: strand.flow, off: strand.off, lit: lit?.has(strand) ?? true };
    if (fromSeen && toSeen) {
      seen.push({ ...one, from, to, beyond: false });
    } else if (fromSeen || toSeen) {
      const curve = { ...one, from: within(from, left), to: within(to, right), beyond: true };
      // A thousand lines to rows that nobody sees are one.
      const key = `${strand.lane} ${curve.from} ${curve.to}`;
      const known = beyond.get(key);
      beyond.set(
        key,
        known === undefined
          ? curve
          : {
              ...curve,
              flow: {
                requests: known.flow.requests + curve.flow.requests,
                failed: known.flow.failed + curve.flow.failed,
              },
              off: known.off && curve.off,
              lit: known.lit || curve.lit,
            },
      );
    }
  }
  return [...seen, ...beyond.values()];
}

function nextOf(lane: Lane): Lane {
  return lanes[lanes.indexOf(lane) + 1] ?? 'nodes';
}

function within(y: number, { top, bottom }: LanePlace): number {
  return Math.min(bottom, Math.max(top, y));
}

function draw(context: CanvasRenderingContext2D, curve: Curve, { places, busiest, colors }: Paint): void {
  const { lane, from, to, flow, off, lit, beyond } = curve;
  const left = places[lane].right;
  const right = places[nextOf(lane)].left;
  const middle = (left + right) / 2;
  const gravity = off ? 'none' : gravityOf(flow);
  context.globalAlpha = lit ? (beyond ? OUT_OF_SIGHT : gravity === 'none' ? 0.75 : 0.85) : DIM;
  context.strokeStyle = colors[gravity];
  context.lineWidth =
    flow.requests === 0 || busiest === 0
      ? WIDTH_MIN
      : WIDTH_MIN + (WIDTH_MAX - WIDTH_MIN) * Math.sqrt(Math.min(1, flow.requests / busiest));
  // What fails differs by shape, too.
  const long = 2 * context.lineWidth;
  context.setLineDash(off ? [2, 5] : gravity === 'bad' ? [long, 4] : gravity === 'some' ? [2 * long, 4] : []);
  context.beginPath();
  context.moveTo(left, from);
  context.bezierCurveTo(middle, from, middle, to, right, to);
  context.stroke();
}
