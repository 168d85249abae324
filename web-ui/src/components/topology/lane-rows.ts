import {
  added,
  flowAlong,
  gravityOf,
  noFlow,
  type Flow,
  type Lane,
  type Line,
  type Stop,
  type Topology,
} from '@/lib/topology';
import { t } from '@/locales';

/** A lane with more stops than this shows groups of them. */
export const GROUPS_ABOVE = 50;

/** One line of a lane: a stop, or a group of them. */
export interface Row {
  readonly key: string;
  /** Undefined for a group. */
  readonly stop: Stop | undefined;
  readonly name: string;
  readonly members: readonly string[];
  readonly open: boolean;
  readonly flow: Flow;
}

/** What is drawn between two rows. */
export interface Strand {
  readonly lane: Lane;
  /** The lane that it leads to. That of routers of connections is not the next one: they have no routes. */
  readonly into: Lane;
  readonly from: number;
  readonly to: number;
  readonly lines: readonly Line[];
  readonly flow: Flow;
  readonly off: boolean;
}

export type Rows = Readonly<Record<Lane, readonly Row[]>>;

export function rowsOf(
  lane: Lane,
  topology: Topology,
  flows: ReadonlyMap<string, Flow>,
  open: ReadonlySet<string>,
): readonly Row[] {
  const keys = topology.order[lane];
  const rowOf = (key: string): Row => {
    const stop = topology.stops.get(key);
    return {
      key,
      stop,
      name: stop?.id ?? '',
      members: [key],
      open: false,
      flow: flows.get(key) ?? noFlow,
    };
  };
  const groups = keys.length > GROUPS_ABOVE ? groupsOf(lane, keys, topology, flows) : new Map();
  if (groups.size <= 1) {
    return keys.map(rowOf);
  }
  return [...groups].flatMap(([name, members]: [string, readonly string[]]) => {
    if (members.length === 1) {
      return members.map(rowOf);
    }
    const key = t('group {lane} {name}', { lane, name });
    const group: Row = {
      key,
      stop: undefined,
      name,
      members,
      open: open.has(key),
      flow: members.reduce((sum, member) => added(sum, flows.get(member) ?? noFlow), noFlow),
    };
    return group.open ? [group, ...members.map(rowOf)] : [group];
  });
}

/** By what stands in the lane before; proxy passes and upstreams, which many lead to, by how they fare. */
function groupsOf(
  lane: Lane,
  keys: readonly string[],
  { before, stops }: Topology,
  flows: ReadonlyMap<string, Flow>,
): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  const fares = lane === 'proxy-servers' || lane === 'proxy-passes' || lane === 'upstreams';
  if (fares) {
    [t('With failures'), t('With requests'), t('Without reported requests')].forEach((name) =>
      groups.set(name, []),
    );
  }
  for (const key of keys) {
    const name = fares
      ? faresOf(flows.get(key) ?? noFlow)
      : (stops.get(before.get(key)?.[0]?.from ?? '')?.id ?? '');
    const group = groups.get(name);
    if (group === undefined) {
      groups.set(name, [key]);
    } else {
      group.push(key);
    }
  }
  return new Map([...groups].filter(([, members]) => members.length > 0));
}

function faresOf(flow: Flow): string {
  const gravity = gravityOf(flow);
  return gravity === 'none'
    ? t('Without reported requests')
    : gravity === 'good'
      ? t('With requests')
      : t('With failures');
}

/** Returns what connects the rows. What leads to a stop within a closed group leads to the group. */
export function strandsOf(
  rows: Rows,
  { next, stops }: Topology,
  flows: ReadonlyMap<string, Flow>,
): readonly Strand[] {
  const places = new Map<string, number>();
  for (const lane of Object.values(rows)) {
    lane.forEach(({ members, open }, index) => {
      if (!open) {
        members.forEach((member) => places.set(member, index));
      }
    });
  }
  const strands = new Map<
    string,
    { lane: Lane; into: Lane; from: number; to: number; lines: Line[]; flow: Flow; off: boolean }
  >();
  for (const [key, lines] of next) {
    const stop = stops.get(key);
    const from = places.get(key);
    if (stop === undefined || from === undefined) {
      continue;
    }
    for (const line of lines) {
      const to = places.get(line.to);
      const end = stops.get(line.to);
      if (to === undefined || end === undefined) {
        continue;
      }
      const off = stop.off || end.off;
      const flow = flowAlong(line, flows);
      const id = `${stop.lane} ${from} ${end.lane} ${to}`;
      const known = strands.get(id);
      if (known === undefined) {
        strands.set(id, { lane: stop.lane, into: end.lane, from, to, lines: [line], flow, off });
      } else {
        known.lines.push(line);
        known.flow = added(known.flow, flow);
        known.off &&= off;
      }
    }
  }
  return [...strands.values()];
}
