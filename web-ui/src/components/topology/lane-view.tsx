import {
  memo,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import type { NodeState } from '#client';
import type { Row } from '@/components/topology/lane-rows';
import { ROW_HEIGHT } from '@/components/topology/paint';
import { pluralOf, StopBox } from '@/components/topology/stop-box';
import { failedOf } from '@/components/topology/use-node-states';
import classes from '@/components/topology/topology.module.css';
import { capitalized } from '@/lib/kinds';
import type { Lane } from '@/lib/topology';
import { number, t } from '@/locales';

const MORE_ROWS = 4;
/** So many rows are scrolled past before others are rendered. */
const STEP_ROWS = 2;
const STEP_PIXELS = STEP_ROWS * ROW_HEIGHT;

/** Where the keyboard goes. */
export interface Place {
  readonly lane: Lane;
  readonly index: number;
}

interface LaneViewProps {
  readonly lane: Lane;
  readonly count: number;
  readonly rows: readonly Row[];
  readonly height: number;
  readonly states: ReadonlyMap<string, NodeState>;
  readonly seconds: number | undefined;
  readonly selected: string | undefined;
  readonly lit: ReadonlySet<string> | undefined;
  /** The place to which the keyboard has just gone. */
  readonly place: Place | undefined;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly links: boolean;
  readonly onScroll: () => void;
  readonly onSeen: (lane: Lane, rows: readonly Row[]) => void;
  readonly onPick: (row: Row) => void;
  readonly onToggle: (row: Row) => void;
  readonly onHover: (row: Row | undefined) => void;
  readonly onGo: (place: Place) => void;
  readonly onAside: (lane: Lane, index: number, right: boolean) => void;
}

/** One lane. Of its rows, those in sight are in the document. */
export function LaneView(props: LaneViewProps) {
  const { lane, count, rows, height, lit, place, scroller, onScroll, onSeen } = props;
  const [top, setTop] = useState(0);
  const [measured, setMeasured] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) {
      return undefined;
    }
    const observer = new ResizeObserver(() => {
      setMeasured(element.clientHeight);
      onScroll();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, onScroll]);
  const inSight = measured === 0 ? height : measured;
  const first = Math.max(0, Math.floor(top / ROW_HEIGHT) - MORE_ROWS);
  const last = Math.min(rows.length, Math.ceil((top + inSight) / ROW_HEIGHT) + STEP_ROWS + MORE_ROWS);
  const begin = Math.min(first, Math.max(0, rows.length - 1));
  const shown = rows.slice(begin, last);
  const seen = shown.map(({ key }) => key).join(' ');
  useEffect(() => {
    onSeen(lane, shown);
    // The rows are new objects with each render of the drawing; their keys tell whether others are seen.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [lane, seen, onSeen]);
  useEffect(() => {
    const element = list.current?.parentElement;
    if (place?.lane !== lane || element === null || element === undefined) {
      return;
    }
    const { index } = place;
    if (index * ROW_HEIGHT < element.scrollTop) {
      element.scrollTop = index * ROW_HEIGHT;
    } else if ((index + 1) * ROW_HEIGHT > element.scrollTop + inSight) {
      element.scrollTop = (index + 1) * ROW_HEIGHT - inSight;
    }
    setTop(steppedTo(element.scrollTop));
    // When the row is there.
    const waiting = requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`[data-index="${index}"] > *`)?.focus({ preventScroll: true }),
    );
    return () => cancelAnimationFrame(waiting);
    // It goes there once, however the lane changes afterwards.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [place, lane]);
  const kept = place?.lane === lane ? place.index : 0;
  const stopAt = kept >= begin && kept < begin + shown.length ? kept : begin;
  const acts = useRowActs(props);
  return (
    <section className={classes.lane} aria-label={`${capitalized(pluralOf(lane))}: ${count}`}>
      <h3 className={classes.laneName}>
        {capitalized(pluralOf(lane))} <span className={classes.count}>{number(count)}</span>
      </h3>
      <div
        ref={scroller}
        className={classes.scroller}
        style={{ height }}
        onScroll={(event) => {
          setTop(steppedTo(event.currentTarget.scrollTop));
          onScroll();
        }}
      >
        {rows.length === 0 && <p className={classes.nothing}>{t('None')}</p>}
        <ul
          ref={list}
          className={classes.rows}
          style={{
            height: rows.length * ROW_HEIGHT,
            marginTop: Math.max(0, (inSight - rows.length * ROW_HEIGHT) / 2),
          }}
        >
          {shown.map((row, offset) => {
            const index = begin + offset;
            return (
              <LaneRow
                key={row.key}
                lane={lane}
                row={row}
                index={index}
                count={rows.length}
                states={props.states}
                seconds={props.seconds}
                selected={row.key === props.selected}
                dim={lit !== undefined && !row.members.some((member) => lit.has(member))}
                reached={index === stopAt}
                links={props.links}
                acts={acts}
              />
            );
          })}
        </ul>
      </div>
    </section>
  );
}

const steppedTo = (top: number) => Math.floor(top / STEP_PIXELS) * STEP_PIXELS;

interface RowActs {
  readonly pick: (row: Row) => void;
  readonly toggle: (row: Row) => void;
  readonly hover: (row: Row | undefined) => void;
  readonly key: (index: number, event: KeyboardEvent) => void;
}

/** Stay the same functions, so that rows that have not changed are not rendered again. */
function useRowActs(props: LaneViewProps): RowActs {
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  const key = useCallback((index: number, event: KeyboardEvent) => {
    const { lane, rows, onGo, onAside } = latest.current;
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      onGo({ lane, index: Math.min(rows.length - 1, Math.max(0, to)) });
    } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      event.preventDefault();
      onAside(lane, index, event.key === 'ArrowRight');
    }
  }, []);
  return useMemo(
    () => ({
      pick: (row) => latest.current.onPick(row),
      toggle: (row) => latest.current.onToggle(row),
      hover: (row) => latest.current.onHover(row),
      key,
    }),
    [key],
  );
}

interface LaneRowProps extends Pick<LaneViewProps, 'lane' | 'states' | 'seconds' | 'links'> {
  readonly row: Row;
  readonly index: number;
  readonly count: number;
  readonly selected: boolean;
  readonly dim: boolean;
  /** Tab comes to this row of the lane. */
  readonly reached: boolean;
  readonly acts: RowActs;
}

const LaneRow = memo(function PlainLaneRow(props: LaneRowProps) {
  const { lane, row, index, count, states, seconds, selected, dim, reached, links, acts } = props;
  const failed = row.stop === undefined ? failedOf(states, row.members) : [];
  return (
    <li
      className={classes.row}
      style={{ top: index * ROW_HEIGHT }}
      aria-setsize={count}
      aria-posinset={index + 1}
      data-index={index}
      data-within={row.stop !== undefined && row.key !== row.members[0] ? true : undefined}
      data-dim={dim || undefined}
    >
      <StopBox
        lane={lane}
        row={row}
        state={states.get(row.key) ?? failed[0]}
        failedNodes={failed.length}
        seconds={seconds}
        selected={selected}
        tabIndex={reached ? 0 : -1}
        onPick={links ? undefined : () => acts.pick(row)}
        onToggle={() => acts.toggle(row)}
        onHover={(over) => acts.hover(over ? row : undefined)}
        onKey={(event) => acts.key(index, event)}
      />
    </li>
  );
});
