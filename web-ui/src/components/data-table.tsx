import { Checkbox, Table } from '@mantine/core';
import { memo, useCallback, useDeferredValue, useEffect, useMemo, useRef, type ReactNode } from 'react';
import classes from '@/components/data-table.module.css';
import { SortButton, type Order } from '@/components/sort-button';
import { TableScroller } from '@/components/table-scroller';
import { t } from '@/locales';

export interface Column<T> {
  readonly header: string;
  readonly cell: (row: T) => ReactNode;
  readonly width?: number | string;
  /** Figures. */
  readonly right?: boolean;
  /** The field that orders the list by this column. */
  readonly sort?: string;
  /** Says more about the header. */
  readonly hint?: string;
  /** Left out where a table has no room for all columns. Cards have it. */
  readonly roomy?: boolean;
}

export interface Selection {
  readonly keys: ReadonlySet<string>;
  readonly onChange: (keys: ReadonlySet<string>) => void;
  /** Returns why a row cannot be selected, in a sentence; undefined where it can. */
  readonly refused?: (key: string) => string | undefined;
}

export interface DataTableProps<T> {
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string | number;
  /** What it is a table of, where no heading says so. */
  readonly label?: string;
  /** Narrower screens scroll; where there is no room for so many pixels on a phone, rows are cards. */
  readonly minWidth?: number;
  readonly dense?: boolean;
  readonly order?: Order;
  readonly selection?: Selection;
  /** A long list: its head stays in sight. */
  readonly long?: boolean;
}

/** A table that is narrower, in pixels, fits on phones. */
const CARDS_FROM = 480;
/** What a screen shows of a long list: it is there first, and the rest when the browser has time. */
const FIRST_ROWS = 20;
const ROW_REM = 3.25;

/** A table of what its columns show of each row. */
export function DataTable<T>({
  columns,
  rows,
  rowKey,
  label,
  minWidth = 640,
  dense = false,
  order,
  selection,
  long = false,
}: DataTableProps<T>) {
  const keys = rows.map((row) => String(rowKey(row)));
  const choose = useChoice(keys, selection);
  const selectable = keys.filter((key) => selection?.refused?.(key) === undefined);
  const chosen = selectable.filter((key) => selection?.keys.has(key) === true).length;
  const shown = useShown(rows, rowKey, columns, long);
  const cards = minWidth >= CARDS_FROM;
  // Cards are no longer laid out as a table, by which a browser would take away what they are.
  const role = (name: string) => (cards ? { role: name } : {});
  const table = (
    <TableScroller minWidth={minWidth} label={label ?? t('Table')}>
      <Table
        {...role('table')}
        aria-label={label}
        verticalSpacing={dense ? 4 : 7}
        horizontalSpacing={long ? 8 : dense ? 'sm' : 'md'}
        highlightOnHover
      >
        <Table.Thead {...role('rowgroup')}>
          <Table.Tr {...role('row')}>
            {selection !== undefined && (
              <Table.Th {...role('columnheader')} className={classes.check}>
                <Checkbox
                  aria-label={t('Select all rows')}
                  label={<span className={classes.all}>{t('Select all rows')}</span>}
                  checked={chosen > 0 && chosen === selectable.length}
                  disabled={keys.length > 0 && selectable.length === 0}
                  indeterminate={chosen > 0 && chosen < selectable.length}
                  onChange={({ currentTarget }) => choose(keys, currentTarget.checked)}
                />
              </Table.Th>
            )}
            {columns.map(({ header, width, right, sort, hint, roomy }) => (
              <Table.Th
                key={header}
                {...role('columnheader')}
                data-roomy={roomy}
                w={width}
                ta={right === true ? 'right' : undefined}
                title={hint}
                aria-sort={sort === undefined || order === undefined ? undefined : directionOf(order, sort)}
              >
                {sort === undefined || order === undefined ? (
                  header
                ) : (
                  <SortButton field={sort} order={order}>
                    {header}
                  </SortButton>
                )}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Rows
          {...shown.first}
          rowKey={rowKey}
          cards={cards}
          selection={selection}
          onSelect={selection === undefined ? undefined : choose}
        />
        {shown.rest.rows.length > 0 && (
          <Rows
            {...shown.rest}
            rowKey={rowKey}
            cards={cards}
            selection={selection}
            onSelect={selection === undefined ? undefined : choose}
          />
        )}
        {shown.missing > 0 && <Missing rows={shown.missing} />}
      </Table>
    </TableScroller>
  );
  return cards ? (
    <div className={classes.holder}>
      <div className={[classes.root, classes.cards, ...(long ? [classes.sticky] : [])].join(' ')}>
        {table}
      </div>
    </div>
  ) : (
    table
  );
}

const NO_ROWS: readonly never[] = [];

/**
 * Returns the rows of a list that are rendered, and by which columns. A long list begins with those of one screen. The
 * others follow when the browser has time, and so does what columns show beside the rows. Rows of the list before are
 * hidden at once. To take them away costs more time than to show the first new ones.
 */
function useShown<T>(
  rows: readonly T[],
  rowKey: (row: T) => string | number,
  columns: readonly Column<T>[],
  long: boolean,
) {
  // The array of a short table may be another one each time.
  const deferred = useDeferredValue<readonly T[]>(long ? rows : NO_ROWS, NO_ROWS);
  const settled = useDeferredValue(columns);
  const rest = useMemo(() => rows.slice(FIRST_ROWS), [rows]);
  const earlier = useMemo(() => deferred.slice(FIRST_ROWS), [deferred]);
  if (!long) {
    return { first: { rows, columns }, rest: { rows: NO_ROWS, columns, hidden: false }, missing: 0 };
  }
  const first = { rows: rows.slice(0, FIRST_ROWS), columns: settled };
  return deferred === rows || isMostlyIn(earlier, rest, rowKey)
    ? { first, rest: { rows: rest, columns: settled, hidden: false }, missing: 0 }
    : { first, rest: { rows: earlier, columns: settled, hidden: true }, missing: rest.length };
}

/** Whether at least half of some rows are among others. If so, it is the same list, and a few of its rows changed. */
function isMostlyIn<T>(
  some: readonly T[],
  others: readonly T[],
  rowKey: (row: T) => string | number,
): boolean {
  const keys = new Set(others.map(rowKey));
  return some.length > 0 && some.filter((row) => keys.has(rowKey(row))).length * 2 >= some.length;
}

/** Has about the height of the rows that are not rendered yet, so that the page can be scrolled to its place. */
function Missing({ rows }: { readonly rows: number }) {
  return (
    <tbody aria-hidden>
      <tr style={{ height: `${rows * ROW_REM}rem` }}>
        <td />
      </tr>
    </tbody>
  );
}

interface RowsProps<T> {
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string | number;
  readonly columns: readonly Column<T>[];
  readonly cards: boolean;
  readonly selection: Selection | undefined;
  readonly onSelect: Choose | undefined;
  readonly hidden?: boolean;
}

function Rows<T>({ rows, rowKey, columns, cards, selection, onSelect, hidden = false }: RowsProps<T>) {
  return (
    <tbody
      className={Table.classes.tbody}
      {...(cards ? { role: 'rowgroup' } : {})}
      style={hidden ? { display: 'none' } : undefined}
    >
      {rows.map((row) => {
        const key = String(rowKey(row));
        return (
          <Row
            key={key}
            id={key}
            row={row}
            columns={columns}
            cards={cards}
            selected={selection?.keys.has(key) === true}
            refused={selection?.refused?.(key)}
            onSelect={onSelect}
          />
        );
      })}
    </tbody>
  );
}

interface RowProps<T> {
  readonly id: string;
  readonly row: T;
  readonly columns: readonly Column<T>[];
  readonly cards: boolean;
  readonly selected: boolean;
  /** Why it cannot be selected. */
  readonly refused: string | undefined;
  readonly onSelect: Choose | undefined;
}

// A list has hundreds of cells: plain elements with the look of the component library's cost a tenth of its own.
const { td, tr } = Table.classes;

function PlainRow<T>({ id, row, columns, cards, selected, refused, onSelect }: RowProps<T>) {
  const cell = cards ? { role: 'cell' } : {};
  return (
    <tr
      className={tr}
      data-with-row-border
      data-hover
      {...(cards ? { role: 'row' } : {})}
      data-selected={selected || undefined}
    >
      {onSelect !== undefined && (
        <td {...cell} className={`${td} ${classes.check}`}>
          <Checkbox
            aria-label={t('Select {key}', { key: id })}
            checked={selected}
            disabled={refused !== undefined}
            title={refused}
            onChange={({ currentTarget, nativeEvent }) =>
              onSelect([id], currentTarget.checked, isWithShift(nativeEvent))
            }
          />
        </td>
      )}
      {columns.map(({ header, cell: show, right, roomy }, at) => (
        <td
          key={header}
          {...cell}
          data-roomy={roomy}
          className={td}
          style={right === true ? { textAlign: 'right' } : undefined}
          data-label={cards ? header : undefined}
          data-title={(cards && at === 0) || undefined}
        >
          {show(row)}
        </td>
      ))}
    </tr>
  );
}

/** A row is rendered again only when something of it has changed. */
const Row = memo(PlainRow) as typeof PlainRow;

function directionOf({ by }: Order, field: string): 'ascending' | 'descending' | 'none' {
  return by === field ? 'ascending' : by === `-${field}` ? 'descending' : 'none';
}

type Choose = (some: readonly string[], selected: boolean, range?: boolean) => void;

/**
 * Returns how to select rows or take them from the selection; with Shift, all from the row before to this one. It stays
 * the same function, so that rows that have not changed are not rendered again.
 */
function useChoice(keys: readonly string[], selection: Selection | undefined): Choose {
  const now = useRef({ keys, selection });
  useEffect(() => {
    now.current = { keys, selection };
  });
  const last = useRef<string>(undefined);
  return useCallback((some, selected, range = false) => {
    const { keys: all, selection: before } = now.current;
    const [first = ''] = some;
    const from = range && last.current !== undefined ? all.indexOf(last.current) : -1;
    const to = all.indexOf(first);
    last.current = some.length === 1 ? first : undefined;
    const meant = from < 0 ? some : all.slice(Math.min(from, to), Math.max(from, to) + 1);
    const next = new Set(before?.keys);
    for (const key of meant.filter((one) => before?.refused?.(one) === undefined)) {
      if (selected) {
        next.add(key);
      } else {
        next.delete(key);
      }
    }
    before?.onChange(next);
  }, []);
}

function isWithShift(event: Event): boolean {
  return event instanceof MouseEvent && event.shiftKey;
}
