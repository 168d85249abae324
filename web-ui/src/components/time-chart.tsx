import { Paper, Text, Title } from '@mantine/core';
import { useState, type PointerEvent } from 'react';
import classes from '@/components/time-chart.module.css';
import { ceilingOf } from '@/lib/figures';
import { t, timeOfDay } from '@/locales';

export interface Series {
  readonly name: string;
  /** A colour of the theme, or any other of CSS. */
  readonly color: string;
  /** As `stroke-dasharray` has it, so that colour alone tells nothing. */
  readonly dash?: string;
  /** One for each time; undefined where there is none, which is left out of a line. */
  readonly values: readonly (number | undefined)[];
}

interface TimeChartProps {
  readonly title: string;
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  /** Where the axis ends that has to hold this value. */
  readonly ceiling?: (value: number) => number;
  /** Each series stands on those before it. */
  readonly stacked?: boolean;
  /** Where the crosshair stands, in all charts of a page. */
  readonly pointed: number | undefined;
  readonly onPoint: (index: number | undefined) => void;
  /** The person has drawn over a part of the time. */
  readonly onZoom: (first: number, last: number) => void;
  /** Moments that are marked, such as those of revisions. */
  readonly marks: readonly Mark[];
}

export interface Mark {
  readonly at: number;
  readonly name: string;
}

/** A shorter way is a click. */
const DRAWN_SLOTS_MIN = 2;

const HEIGHT = 100;
const HALF_A_DAY_MILLIS = 43_200_000;

/** Lines, or layers, over time. A table beside it has the same figures: this is for eyes only. */
export function TimeChart({
  title,
  times,
  series: all,
  format,
  ceiling = ceilingOf,
  stacked = false,
  pointed,
  onPoint,
  onZoom,
  marks,
}: TimeChartProps) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [start, setStart] = useState<number>();
  const series = all.filter(({ name }) => !hidden.has(name));
  const count = times.length;
  const drawn = stacked ? layersOf(series) : series.map(({ values }) => values);
  const top = ceiling(highest(drawn.flat()));
  const days = (times.at(-1) ?? 0) - (times[0] ?? 0) > HALF_A_DAY_MILLIS;
  const y = (value: number) => HEIGHT - (value / top) * HEIGHT;
  const shown = pointed !== undefined && pointed < count ? pointed : undefined;
  const slotAt = (event: PointerEvent<SVGSVGElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return Math.min(count - 1, Math.max(0, Math.round(((event.clientX - left) / width) * (count - 1))));
  };
  const endDrawing = (event: PointerEvent<SVGSVGElement>) => {
    const end = slotAt(event);
    if (start !== undefined && Math.abs(end - start) >= DRAWN_SLOTS_MIN) {
      onZoom(Math.min(start, end), Math.max(start, end));
    }
    setStart(undefined);
  };
  const toggle = (name: string) => {
    const next = new Set(hidden);
    if (!next.delete(name)) {
      next.add(name);
    }
    // What is hidden is to be compared with something.
    setHidden(next.size === all.length ? new Set() : next);
  };
  const slotMillis = count < 2 ? 1 : ((times[count - 1] ?? 0) - (times[0] ?? 0)) / (count - 1);
  const placed = marks
    .map(({ at, name }) => ({ name, x: (at - (times[0] ?? 0)) / slotMillis }))
    .filter(({ x }) => x >= 0 && x <= count - 1);
  return (
    <Paper withBorder p="md">
      <Title order={2} size="h5">
        {title}
      </Title>
      <div className={classes.legend}>
        {all.map(({ name, color, dash, values }) => (
          <button
            key={name}
            type="button"
            className={classes.entry}
            aria-pressed={!hidden.has(name)}
            title={hidden.has(name) ? `Show ${name}` : `Hide ${name}`}
            onClick={() => toggle(name)}
          >
            <svg width={18} height={8} aria-hidden focusable="false">
              <line x1={0} x2={18} y1={4} y2={4} stroke={color} strokeWidth={3} strokeDasharray={dash} />
            </svg>
            {name}
            {shown !== undefined && <strong>{wordFor(values[shown], format)}</strong>}
          </button>
        ))}
        <Text span size="xs" c="dimmed" ml="auto">
          {shown === undefined ? '' : clock(times[shown] ?? 0, days, true)}
        </Text>
      </div>
      <div className={classes.plot}>
        <div className={classes.scale} aria-hidden>
          <span>{format(top)}</span>
          <span>{format(top / 2)}</span>
          <span>{format(0)}</span>
        </div>
        <svg
          className={classes.canvas}
          viewBox={`0 0 ${Math.max(1, count - 1)} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}: ${series
            .map(({ name, values }) => t('{name} up to {format}', { name, format: format(highest(values)) }))
            .join(', ')}`}
          onPointerDown={(event) => {
            if (event.button === 0) {
              event.currentTarget.setPointerCapture(event.pointerId);
              setStart(slotAt(event));
            }
          }}
          onPointerMove={(event) => onPoint(slotAt(event))}
          onPointerUp={endDrawing}
          onPointerCancel={() => setStart(undefined)}
          onPointerLeave={() => onPoint(undefined)}
        >
          {[0, HEIGHT / 2, HEIGHT].map((at) => (
            <line key={at} className={classes.grid} x1={0} x2={Math.max(1, count - 1)} y1={at} y2={at} />
          ))}
          {series.map(({ name, color, dash }, index) => {
            const values = drawn[index] ?? [];
            return stacked ? (
              <path key={name} d={areaBetween(values, drawn[index - 1], y)} fill={color} />
            ) : (
              <path
                key={name}
                className={classes.line}
                d={lineThrough(values, y)}
                stroke={color}
                strokeDasharray={dash}
              />
            );
          })}
          {placed.map(({ name, x }) => (
            <line key={name} className={classes.mark} x1={x} x2={x} y1={0} y2={HEIGHT}>
              <title>{name}</title>
            </line>
          ))}
          {start !== undefined && shown !== undefined && (
            <rect
              className={classes.drawn}
              x={Math.min(start, shown)}
              width={Math.abs(shown - start)}
              y={0}
              height={HEIGHT}
            />
          )}
          {shown !== undefined && (
            <line className={classes.pointer} x1={shown} x2={shown} y1={0} y2={HEIGHT} />
          )}
        </svg>
        <div className={classes.times} aria-hidden>
          {[0, Math.floor((count - 1) / 2), count - 1].map((index, place) => (
            <span key={place}>{count === 0 ? '' : clock(times[index] ?? 0, days)}</span>
          ))}
        </div>
      </div>
    </Paper>
  );
}

/** What each series reaches when it stands on those before it. */
function layersOf(series: readonly Series[]): readonly (readonly (number | undefined)[])[] {
  const layers: (readonly (number | undefined)[])[] = [];
  for (const { values } of series) {
    const below = layers.at(-1);
    layers.push(
      values.map((value, index) => (value === undefined ? undefined : value + (below?.[index] ?? 0))),
    );
  }
  return layers;
}

/** Returns the layer between two lines, with a gap wherever there is no value. */
export function areaBetween(
  values: readonly (number | undefined)[],
  below: readonly (number | undefined)[] | undefined,
  y: (value: number) => number,
): string {
  const pieces: { x: number; top: number; floor: number }[][] = [];
  values.forEach((value, x) => {
    if (value !== undefined) {
      const point = { x, top: y(value), floor: y(below?.[x] ?? 0) };
      if (x > 0 && values[x - 1] !== undefined) {
        pieces.at(-1)?.push(point);
      } else {
        pieces.push([point]);
      }
    }
  });
  return pieces
    .map((piece) =>
      [
        ...piece.map(({ x, top }, index) => `${index === 0 ? 'M' : 'L'}${x},${top}`),
        ...piece.toReversed().map(({ x, floor }) => `L${x},${floor}`),
        'Z',
      ].join(''),
    )
    .join('');
}

/** Returns what to draw through the values that there are; one between two that lack is a dot. */
export function lineThrough(values: readonly (number | undefined)[], y: (value: number) => number): string {
  return values
    .map((value, x) => {
      if (value === undefined) {
        return '';
      }
      const at = `${x},${y(value)}`;
      return values[x - 1] === undefined ? `M${at}h0` : `L${at}`;
    })
    .join('');
}

function highest(values: readonly (number | undefined)[]): number {
  return values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
}

function wordFor(value: number | undefined, format: (value: number) => string): string {
  return value === undefined ? '—' : format(value);
}

/** Over more than half a day, times alone may be those of either day. */
function clock(at: number, days: boolean, exact = false): string {
  return timeOfDay(at, {
    hour: '2-digit',
    minute: '2-digit',
    ...(exact ? { second: '2-digit' } : {}),
    ...(days ? { weekday: 'short' } : {}),
  });
}
