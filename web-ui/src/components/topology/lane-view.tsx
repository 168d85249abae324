import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
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
  const last = Math.min(rows.length, Math.ceil((top + inSight) / ROW_HEIGHT) + MORE_ROWS);
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
    setTop(element.scrollTop);
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
  const onKey = (index: number) => (event: KeyboardEvent) => {
    const to = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      props.onGo({ lane, index: Math.min(rows.length - 1, Math.max(0, to)) });
    } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      event.preventDefault();
      props.onAside(lane, index, event.key === 'ArrowRight');
    }
  };
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
          setTop(event.currentTarget.scrollTop);
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
            const failed = row.stop === undefined ? failedOf(props.states, row.members) : [];
            return (
              <li
                key={row.key}
                className={classes.row}
                style={{ top: index * ROW_HEIGHT }}
                aria-setsize={rows.length}
                aria-posinset={index + 1}
                data-index={index}
                data-within={row.stop !== undefined && row.key !== row.members[0] ? true : undefined}
                data-dim={
                  lit !== undefined && !row.members.some((member) => lit.has(member)) ? true : undefined
                }
              >
                <StopBox
                  lane={lane}
                  row={row}
                  state={props.states.get(row.key) ?? failed[0]}
                  failedNodes={failed.length}
                  seconds={props.seconds}
                  selected={row.key === props.selected}
                  tabIndex={index === stopAt ? 0 : -1}
                  onPick={props.links ? undefined : () => props.onPick(row)}
                  onToggle={() => props.onToggle(row)}
                  onHover={(over) => props.onHover(over ? row : undefined)}
                  onKey={onKey(index)}
                />
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}
