import { useComputedColorScheme } from '@mantine/core';
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { LaneView, type Place } from '@/components/topology/lane-view';
import { rowsOf, strandsOf, type Row, type Rows } from '@/components/topology/lane-rows';
import { paint, ROW_HEIGHT, type LanePlace } from '@/components/topology/paint';
import { strandIndexOf, type StrandIndex } from '@/components/topology/strand-index';
import classes from '@/components/topology/topology.module.css';
import { useNodeStates } from '@/components/topology/use-node-states';
import { connectedTo, lanes, perLane, type Flow, type Lane, type Topology } from '@/lib/topology';

export interface TopologyDrawingProps {
  readonly topology: Topology;
  readonly flows: ReadonlyMap<string, Flow>;
  /** How long the flows took; undefined while none are known. */
  readonly seconds: number | undefined;
  /** The key of the stop that is chosen, or of that whose page this is. */
  readonly selected: string | undefined;
  /** Without it, each box is a link to its page. */
  readonly onSelect?: (key: string | undefined) => void;
  /** Of the lanes, in pixels; what is more scrolls. */
  readonly heightMax: number;
  readonly label: string;
}

type Scrollers = Readonly<Record<Lane, RefObject<HTMLDivElement | null>>>;

/** The ways of requests from proxy servers to nodes: a lane for each kind, with lines between them. */
export function TopologyDrawing(props: TopologyDrawingProps) {
  const { topology, flows, seconds, selected, onSelect, heightMax, label } = props;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [hovered, setHovered] = useState<Row>();
  const [place, setPlace] = useState<Place>();
  const [upstreamIds, setUpstreamIds] = useState<readonly string[]>([]);
  const states = useNodeStates(upstreamIds);
  const rows = useMemo(() => perLane((lane) => rowsOf(lane, topology, flows, open)), [topology, flows, open]);
  const strands = useMemo(() => strandsOf(rows, topology, flows), [rows, topology, flows]);
  const lit = useMemo(
    () => (hovered === undefined ? undefined : connectedTo(topology, hovered.members)),
    [topology, hovered],
  );
  const litStrands = useMemo(
    () =>
      lit &&
      new Set(strands.filter(({ lines }) => lines.some(({ from, to }) => lit.has(from) && lit.has(to)))),
    [lit, strands],
  );
  const index = useMemo(() => strandIndexOf(strands, litStrands), [strands, litStrands]);
  const most = Math.max(1, ...lanes.map((lane) => rows[lane].length));
  const height = Math.min(heightMax, most * ROW_HEIGHT);
  const root = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const scrollers = useScrollers();
  const scheme = useComputedColorScheme('light');

  const draw = useRef<() => void>(() => undefined);
  useEffect(() => {
    draw.current = () => {
      drawLines(root.current, canvas.current, scrollers, rows, index);
    };
  });
  const waiting = useRef<number | undefined>(undefined);
  const schedule = useCallback(() => {
    waiting.current ??= requestAnimationFrame(() => {
      waiting.current = undefined;
      draw.current();
    });
  }, []);
  useEffect(schedule, [schedule, rows, index, scheme, height]);
  useEffect(
    () => () => {
      cancelAnimationFrame(waiting.current ?? 0);
      waiting.current = undefined;
    },
    [],
  );

  const onSeen = useCallback((lane: Lane, shown: readonly Row[]) => {
    if (lane === 'nodes') {
      setUpstreamIds([...new Set(shown.flatMap(({ stop }) => stop?.upstreamIds ?? []))].sort());
    }
  }, []);
  const goAside = (lane: Lane, at: number, right: boolean) => {
    const strand = strands.find((one) =>
      right ? one.lane === lane && one.from === at : one.into === lane && one.to === at,
    );
    if (strand !== undefined) {
      setPlace(right ? { lane: strand.into, index: strand.to } : { lane: strand.lane, index: strand.from });
    }
  };
  return (
    <div ref={root} className={classes.root} role="group" aria-label={label}>
      <div className={classes.lanes}>
        <canvas ref={canvas} className={classes.lines} aria-hidden />
        {lanes.map((lane) => (
          <LaneView
            key={lane}
            lane={lane}
            count={topology.order[lane].length}
            rows={rows[lane]}
            height={height}
            states={states}
            seconds={seconds}
            selected={selected}
            lit={lit}
            place={place}
            scroller={scrollers[lane]}
            links={onSelect === undefined}
            onScroll={schedule}
            onSeen={onSeen}
            onPick={({ key }) => onSelect?.(key === selected ? undefined : key)}
            onToggle={({ key }) =>
              setOpen(
                (before) =>
                  new Set(before.has(key) ? [...before].filter((one) => one !== key) : [...before, key]),
              )
            }
            onHover={setHovered}
            onGo={setPlace}
            onAside={goAside}
          />
        ))}
      </div>
    </div>
  );
}

function useScrollers(): Scrollers {
  const servers = useRef<HTMLDivElement>(null);
  const routers = useRef<HTMLDivElement>(null);
  const routes = useRef<HTMLDivElement>(null);
  const passes = useRef<HTMLDivElement>(null);
  const upstreams = useRef<HTMLDivElement>(null);
  const nodes = useRef<HTMLDivElement>(null);
  return useMemo(
    () => ({
      'proxy-servers': servers,
      routers,
      routes,
      'proxy-passes': passes,
      upstreams,
      nodes,
    }),
    [],
  );
}

function drawLines(
  root: HTMLElement | null,
  canvas: HTMLCanvasElement | null,
  scrollers: Scrollers,
  rows: Rows,
  index: StrandIndex,
): void {
  const context = canvas?.getContext('2d');
  if (root === null || canvas === null || context === null || context === undefined) {
    return;
  }
  const box = canvas.getBoundingClientRect();
  const places = perLane((lane) => placeOf(scrollers[lane].current, rows[lane].length, box));
  const ratio = window.devicePixelRatio;
  const width = Math.round(box.width * ratio);
  const height = Math.round(box.height * ratio);
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const style = getComputedStyle(root);
  const color = (name: string) => style.getPropertyValue(name).trim();
  paint(context, {
    index,
    places,
    width: box.width,
    height: box.height,
    colors: {
      none: color('--sigma-chart-gray'),
      good: color('--sigma-chart-green'),
      some: color('--sigma-chart-yellow'),
      bad: color('--sigma-chart-red'),
    },
  });
}

function placeOf(element: HTMLElement | null, count: number, around: DOMRect): LanePlace {
  if (element === null) {
    return { left: 0, right: 0, top: 0, bottom: 0, first: 0, rows: 0 };
  }
  const box = element.getBoundingClientRect();
  const top = box.top - around.top;
  return {
    left: box.left - around.left,
    right: box.right - around.left,
    top,
    bottom: top + box.height,
    rows: count,
    first:
      top + Math.max(0, (element.clientHeight - count * ROW_HEIGHT) / 2) - element.scrollTop + ROW_HEIGHT / 2,
  };
}
