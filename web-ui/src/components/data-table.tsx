import { Checkbox, Table } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
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
}

export interface Selection {
  readonly keys: ReadonlySet<string>;
  readonly onChange: (keys: ReadonlySet<string>) => void;
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
  const chosen = selection === undefined ? 0 : keys.filter((key) => selection.keys.has(key)).length;
  const cards = minWidth >= CARDS_FROM;
  // Cards are no longer laid out as a table, by which a browser would take away what they are.
  const role = (name: string) => (cards ? { role: name } : {});
  const table = (
    <TableScroller minWidth={minWidth} label={label ?? t('Table')}>
      <Table
        {...role('table')}
        aria-label={label}
        verticalSpacing={dense ? 4 : 7}
        horizontalSpacing={dense ? 'sm' : 'md'}
        highlightOnHover
      >
        <Table.Thead {...role('rowgroup')}>
          <Table.Tr {...role('row')}>
            {selection !== undefined && (
              <Table.Th {...role('columnheader')} className={classes.check}>
                <Checkbox
                  aria-label={t('Select all rows')}
                  label={<span className={classes.all}>{t('Select all rows')}</span>}
                  checked={chosen > 0 && chosen === keys.length}
                  indeterminate={chosen > 0 && chosen < keys.length}
                  onChange={({ currentTarget }) => choose(keys, currentTarget.checked)}
                />
              </Table.Th>
            )}
            {columns.map(({ header, width, right, sort, hint }) => (
              <Table.Th
                key={header}
                {...role('columnheader')}
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
        <Table.Tbody {...role('rowgroup')}>
          {rows.map((row, index) => {
            const key = keys[index] ?? '';
            const selected = selection?.keys.has(key) === true;
            return (
              <Table.Tr key={key} {...role('row')} data-selected={selected || undefined}>
                {selection !== undefined && (
                  <Table.Td {...role('cell')} className={classes.check}>
                    <Checkbox
                      aria-label={t('Select {key}', { key })}
                      checked={selected}
                      onChange={({ currentTarget, nativeEvent }) =>
                        choose([key], currentTarget.checked, isWithShift(nativeEvent))
                      }
                    />
                  </Table.Td>
                )}
                {columns.map(({ header, cell, right }, at) => (
                  <Table.Td
                    key={header}
                    {...role('cell')}
                    ta={right === true ? 'right' : undefined}
                    data-label={cards ? header : undefined}
                    data-title={(cards && at === 0) || undefined}
                  >
                    {cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
            );
          })}
        </Table.Tbody>
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

function directionOf({ by }: Order, field: string): 'ascending' | 'descending' | 'none' {
  return by === field ? 'ascending' : by === `-${field}` ? 'descending' : 'none';
}

/** Returns how to select rows or take them from the selection; with Shift, all from the row before to this one. */
function useChoice(keys: readonly string[], selection: Selection | undefined) {
  const last = useRef<string>(undefined);
  return (some: readonly string[], selected: boolean, range = false) => {
    const [first = ''] = some;
    const from = range && last.current !== undefined ? keys.indexOf(last.current) : -1;
    const to = keys.indexOf(first);
    last.current = some.length === 1 ? first : undefined;
    const meant = from < 0 ? some : keys.slice(Math.min(from, to), Math.max(from, to) + 1);
    const next = new Set(selection?.keys);
    for (const key of meant) {
      if (selected) {
        next.add(key);
      } else {
        next.delete(key);
      }
    }
    selection?.onChange(next);
  };
}

function isWithShift(event: Event): boolean {
  return event instanceof MouseEvent && event.shiftKey;
}
