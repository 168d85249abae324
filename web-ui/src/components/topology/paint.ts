import { tiesOf, type Sight, type StrandIndex, type Tie } from '@/components/topology/strand-index';
import { gravityOf, perLane, type Lane } from '@/lib/topology';

/** The height of a row, with the space to the next. */
export const ROW_HEIGHT = 54;

/** Where a lane stands, in pixels of the drawing. */
export interface LanePlace {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Of the middle of the first row, which may be above the top. */
  readonly first: number;
  readonly rows: number;
}

export interface Paint {
  readonly index: StrandIndex;
  readonly places: Readonly<Record<Lane, LanePlace>>;
  readonly width: number;
  readonly height: number;
  readonly colors: Readonly<Record<'none' | 'good' | 'some' | 'bad', string>>;
}

const WIDTH_MIN = 1.25;
const WIDTH_MAX = 7;
const DIM = 0.12;
const OUT_OF_SIGHT = 0.35;

/** Draws the lines of which one end, or both, can be seen. */
export function paint(context: CanvasRenderingContext2D, paint: Paint): void {
  const sights = perLane((lane) => sightOf(paint.places[lane]));
  const ties = tiesOf(paint.index, sights);
  context.clearRect(0, 0, paint.width, paint.height);
  // What matters is drawn last, over the rest.
  for (const tie of ties.toSorted((a, b) => weightOf(a) - weightOf(b))) {
    draw(context, tie, paint);
  }
}

function weightOf({ lit, flow }: Tie): number {
  return (lit ? 1e12 : 0) + flow.failed * 1e6 + flow.requests;
}

/** Returns the rows of which the middle is in sight. */
export function sightOf({ top, bottom, first, rows }: Omit<LanePlace, 'left' | 'right'>): Sight {
  const begin = Math.max(0, Math.floor((top - first) / ROW_HEIGHT) + 1);
  const end = Math.min(rows, Math.ceil((bottom - first) / ROW_HEIGHT));
  return { begin, end: Math.max(begin, end) };
}

function heightOf(row: Tie['from'], { top, bottom, first }: LanePlace): number {
  return row === 'above' ? top : row === 'below' ? bottom : first + row * ROW_HEIGHT;
}

function draw(context: CanvasRenderingContext2D, tie: Tie, { index, places, colors }: Paint): void {
  const { lane, into, flow, off, lit } = tie;
  const { busiest } = index;
  const from = heightOf(tie.from, places[lane]);
  const to = heightOf(tie.to, places[into]);
  const beyond = typeof tie.from !== 'number' || typeof tie.to !== 'number';
  const left = places[lane].right;
  const right = places[into].left;
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
