import {
  IconAlertCircle,
  IconAlertTriangle,
  IconChevronDown,
  IconChevronRight,
  IconPlayerPause,
  type Icon,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { KeyboardEvent, ReactNode } from 'react';
import type { NodeState } from '#client';
import { nodeStateLooks } from '@/components/node-state-looks';
import type { Row } from '@/components/topology/lane-rows';
import classes from '@/components/topology/topology.module.css';
import { percent, short } from '@/lib/figures';
import { capitalized, kinds } from '@/lib/kinds';
import { gravityOf, type Lane } from '@/lib/topology';
import { t } from '@/locales';

interface StopBoxProps {
  readonly lane: Lane;
  readonly row: Row;
  /** Of a node, as far as it is known; of a group, of its worst node that failed. */
  readonly state: NodeState | undefined;
  /** How many nodes of a group failed. */
  readonly failedNodes: number;
  /** How long the flow took; undefined where none is known. */
  readonly seconds: number | undefined;
  readonly selected: boolean;
  readonly tabIndex: number;
  /** Undefined where a click goes to the page of the resource. */
  readonly onPick: (() => void) | undefined;
  readonly onToggle: () => void;
  readonly onHover: (over: boolean) => void;
  readonly onKey: (event: KeyboardEvent) => void;
}

/** One stop or one group of a lane. Its name says all that its look says. */
export function StopBox(props: StopBoxProps) {
  const { lane, row, state, seconds, selected, onPick, onToggle, onHover, onKey } = props;
  const { tone, Mark } = lookOf(row, state);
  const { stop } = row;
  const rate = seconds === undefined || row.flow.requests === 0 ? '' : `${short(rateOf(row, seconds))}/s`;
  const failed = row.flow.failed > 0 ? percent(row.flow.failed, row.flow.requests) : '';
  const detail =
    stop === undefined ? groupDetailOf(lane, row, props.failedNodes) : detailOf(stop.detail, state);
  const name = row.name.replace(/^http:\/\//, '');
  const port = lane === 'nodes' ? (/:\d+$/.exec(name)?.[0] ?? '') : '';
  const host = name.slice(0, name.length - port.length);
  const common = {
    className: classes.box,
    'data-tone': tone,
    'aria-label': wordsOf(props, detail),
    title: `${row.name}\n${detail}`,
    tabIndex: props.tabIndex,
    onMouseEnter: () => onHover(true),
    onMouseLeave: () => onHover(false),
    onFocus: () => onHover(true),
    onBlur: () => onHover(false),
    onKeyDown: onKey,
  };
  const content = (
    <>
      <span className={classes.head}>
        {stop === undefined && (row.open ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />)}
        {Mark !== undefined && <Mark size={14} className={classes.mark} />}
        <span className={classes.title}>{host}</span>
        {/* Nodes of one host differ in their ports. */}
        {port !== '' && <span className={classes.port}>{port}</span>}
      </span>
      <span className={classes.foot}>
        <span className={classes.detail}>{detail}</span>
        {rate !== '' && <span className={classes.rate}>{rate}</span>}
        {failed !== '' && <span className={classes.failed}>{failed}</span>}
      </span>
    </>
  );
  if (stop === undefined) {
    return (
      <button type="button" {...common} aria-expanded={row.open} onClick={onToggle}>
        {content}
      </button>
    );
  }
  if (onPick !== undefined) {
    return (
      <button type="button" {...common} aria-pressed={selected} onClick={onPick}>
        {content}
      </button>
    );
  }
  return selected ? (
    <span {...common} aria-current="page" role="link" aria-disabled>
      {content}
    </span>
  ) : (
    <PageLink row={row} {...common}>
      {content}
    </PageLink>
  );
}

type LinkProps = Readonly<Record<string, unknown>> & { readonly row: Row; readonly children: ReactNode };

function PageLink({ row: { stop }, children, ...common }: LinkProps) {
  if (stop === undefined) {
    return null;
  }
  return stop.lane === 'nodes' ? (
    <Link to="/upstreams/$id/health" params={{ id: stop.upstreamIds[0] ?? '' }} {...common}>
      {children}
    </Link>
  ) : (
    <Link to="/$kind/$id" params={{ kind: stop.lane, id: stop.id }} {...common}>
      {children}
    </Link>
  );
}

type Tone = 'off' | 'none' | 'good' | 'some' | 'bad';

function lookOf({ stop, flow }: Row, state: NodeState | undefined): { tone: Tone; Mark: Icon | undefined } {
  const gravity = gravityOf(flow);
  if (state !== undefined && state !== 'UNKNOWN') {
    const tone = (
      { UNHEALTHY: 'bad', EJECTED: 'some', DOWN: 'off', DRAINING: 'off', HEALTHY: gravity } as const
    )[state];
    return { tone: tone === 'none' ? 'good' : tone, Mark: nodeStateLooks[state].Icon };
  }
  if (stop?.off === true) {
    return { tone: 'off', Mark: IconPlayerPause };
  }
  return {
    tone: gravity,
    Mark: gravity === 'bad' ? IconAlertTriangle : gravity === 'some' ? IconAlertCircle : undefined,
  };
}

function groupDetailOf(lane: Lane, { members }: Row, failedNodes: number): string {
  const all = t('{count} {kind}', { count: short(members.length), kind: pluralOf(lane) });
  return failedNodes === 0 ? all : t('{all}, {failedNodes} failed', { all, failedNodes: short(failedNodes) });
}

function detailOf(detail: string, state: NodeState | undefined): string {
  return state === undefined ? detail : nodeStateLooks[state].text;
}

function wordsOf({ lane, row, state, seconds }: StopBoxProps, detail: string): string {
  const { stop, flow } = row;
  return [
    `${singularOf(lane)} ${row.name}`,
    detail,
    ...(stop?.off === true && state === undefined ? [t('disabled')] : []),
    ...(seconds === undefined || flow.requests === 0 ? [] : [ratesOf(stop)(short(rateOf(row, seconds)))]),
    ...(flow.failed > 0 ? [t('{percent} failed', { percent: percent(flow.failed, flow.requests) })] : []),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function ratesOf(stop: Row['stop']): (rate: string) => string {
  switch (stop?.counts) {
    case 'connections':
      return (rate) => t('{rate} connections per second', { rate });
    case 'sessions':
      return (rate) => t('{rate} sessions per second', { rate });
    default:
      return (rate) => t('{rate} requests per second', { rate });
  }
}

function rateOf({ flow }: Row, seconds: number): number {
  const rate = flow.requests / seconds;
  return rate >= 10 ? Math.round(rate) : Number(rate.toFixed(rate >= 0.1 ? 1 : 2));
}

export function singularOf(lane: Lane): string {
  return lane === 'nodes' ? t('Node') : capitalized(kinds[lane].singular);
}

export function pluralOf(lane: Lane): string {
  return lane === 'nodes' ? t('nodes') : kinds[lane].plural;
}
