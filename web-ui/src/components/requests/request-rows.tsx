import { useElementSize, useMergedRef } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useLayoutEffect, useRef, useState } from 'react';
import type { LastRequest } from '#client';
import { Mono } from '@/components/mono';
import { keyOf } from '@/components/requests/request-log';
import classes from '@/components/requests/request-rows.module.css';
import { StatusBadge } from '@/components/requests/status-badge';
import { bytes, millis } from '@/lib/figures';
import { dateTime, t, timeOfDay } from '@/locales';

const ROW_HEIGHT = 52;
const CARD_HEIGHT = 112;
const CARDS_BELOW = 900;
const HEAD_HEIGHT = 34;
/** Rows beyond what is seen, so that a quick scroll shows no gap. */
const BEYOND = 8;
const COLUMNS: readonly { readonly name: string; readonly right?: boolean }[] = [
  { name: t('Time') },
  { name: t('Status') },
  { name: t('Request') },
  { name: t('Route') },
  { name: t('Duration'), right: true },
  { name: t('Client') },
  { name: t('Revision'), right: true },
];

interface RequestRowsProps {
  /** The newest first. */
  readonly rows: readonly LastRequest[];
  readonly label: string;
}

/** A table of which only the rows in sight are there. Who has scrolled keeps what is in sight when rows are added. */
export function RequestRows({ rows, label }: RequestRowsProps) {
  const { ref: measured, width, height } = useElementSize<HTMLDivElement>();
  const box = useRef<HTMLDivElement>(null);
  const ref = useMergedRef(measured, box);
  const [top, setTop] = useState(0);
  const cards = width > 0 && width < CARDS_BELOW;
  const rowHeight = cards ? CARD_HEIGHT : ROW_HEIGHT;
  const headHeight = cards ? 0 : HEAD_HEIGHT;
  const newest = useRef<string>(undefined);
  useLayoutEffect(() => {
    const [latest] = rows;
    const before = newest.current;
    newest.current = latest && keyOf(latest);
    const element = box.current;
    if (element !== null && element.scrollTop > 0 && before !== undefined) {
      element.scrollTop +=
        Math.max(
          0,
          rows.findIndex((row) => keyOf(row) === before),
        ) * rowHeight;
    }
  }, [rows, rowHeight]);
  const first = Math.max(0, Math.floor(top / rowHeight) - BEYOND);
  const last = Math.min(rows.length, Math.ceil((top + height) / rowHeight) + BEYOND);
  return (
    <div
      ref={ref}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      className={classes.rows}
      data-cards={cards || undefined}
      // The keyboard could not scroll it otherwise.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
    >
      <div role="rowgroup">
        <div role="row" aria-rowindex={1} className={classes.head}>
          {COLUMNS.map(({ name, right }) => (
            <span key={name} role="columnheader" className={right ? classes.right : undefined}>
              {name}
            </span>
          ))}
        </div>
      </div>
      <div role="rowgroup" style={{ height: rows.length * rowHeight }}>
        {rows.slice(first, last).map((request, index) => (
          <div
            key={keyOf(request)}
            role="row"
            aria-rowindex={first + index + 2}
            className={classes.row}
            style={{ top: headHeight + (first + index) * rowHeight, height: rowHeight }}
          >
            <RequestCells request={request} />
          </div>
        ))}
      </div>
    </div>
  );
}

function RequestCells({ request }: { readonly request: LastRequest }) {
  const { at, gatewayId, method, host, path, error, routeId, routerId, node, upstreamId } = request;
  const target = `${host}${path}`;
  return (
    <>
      <span role="cell" className={`${classes.cell ?? ''} ${classes.time ?? ''}`}>
        <time dateTime={at} title={dateTime(at)}>
          {clock(at)}
        </time>
        <Link
          to="/traffic"
          search={{ kind: 'gateway', id: gatewayId }}
          className={classes.second}
          title={t('Gateway {id}', { id: gatewayId })}
        >
          {gatewayId}
        </Link>
      </span>
      <span role="cell" className={`${classes.cell ?? ''} ${classes.status ?? ''}`}>
        <StatusBadge request={request} />
        {error !== undefined && (
          <span className={classes.second} title={error}>
            {error}
          </span>
        )}
      </span>
      <span role="cell" className={`${classes.cell ?? ''} ${classes.request ?? ''}`}>
        <span title={`${method} ${target}`}>
          {method !== '' && <span className={classes.method}>{method}</span>}
          <Mono>{target === '' ? request.proxyServerId : target}</Mono>
        </span>
        <span className={classes.second} title={node}>
          {node ?? upstreamId ?? t('answered by the gateway')}
        </span>
      </span>
      <span role="cell" className={`${classes.cell ?? ''} ${classes.route ?? ''}`}>
        {routeId !== undefined ? (
          <Link to="/$kind/$id" params={{ kind: 'routes', id: routeId }} className={classes.link}>
            <Mono>{routeId}</Mono>
          </Link>
        ) : routerId !== undefined ? (
          <Link to="/$kind/$id" params={{ kind: 'routers', id: routerId }} className={classes.link}>
            <Mono>{routerId}</Mono>
          </Link>
        ) : (
          <span>{t('no route')}</span>
        )}
        <span className={classes.second}>{request.proxyServerId}</span>
      </span>
      <span role="cell" className={`${classes.cell ?? ''} ${classes.duration ?? ''} ${classes.right ?? ''}`}>
        <span>{millis(request.durationMicros / 1000)}</span>
        <span
          className={classes.second}
          title={t('{received} B in, {sent} B out', { received: request.bytesIn, sent: request.bytesOut })}
        >
          {bytes(request.bytesOut)}
        </span>
      </span>
      <span role="cell" className={`${classes.cell ?? ''} ${classes.client ?? ''}`}>
        <span>{request.clientAddress ?? t('not shown')}</span>
        <span className={classes.second}>{request.protocol}</span>
      </span>
      <span role="cell" className={`${classes.cell ?? ''} ${classes.revision ?? ''} ${classes.right ?? ''}`}>
        {request.revision > 0 && (
          <Link
            to="/revisions/$number"
            params={{ number: String(request.revision) }}
            className={classes.link}
            aria-label={t('Revision {number}', { number: request.revision })}
          >
            {request.revision}
          </Link>
        )}
      </span>
    </>
  );
}

function clock(at: string): string {
  return timeOfDay(at, {
    hour12: false,
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  });
}
