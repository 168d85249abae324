import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { TableScroller } from '@/components/table-scroller';

export interface Column<T> {
  readonly header: string;
  readonly cell: (row: T) => ReactNode;
  readonly width?: number | string;
  /** Figures. */
  readonly right?: boolean;
}

export interface DataTableProps<T> {
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly rowKey: (row: T) => string | number;
  /** What it is a table of, where no heading says so. */
  readonly label?: string;
  /** Narrower screens scroll. */
  readonly minWidth?: number;
  readonly dense?: boolean;
}

/** A table of what its columns show of each row. */
export function DataTable<T>({
  columns,
  rows,
  rowKey,
  label,
  minWidth = 640,
  dense = false,
}: DataTableProps<T>) {
  return (
    <TableScroller minWidth={minWidth} label={label ?? 'Table'}>
      <Table
        aria-label={label}
        verticalSpacing={dense ? 4 : 7}
        horizontalSpacing={dense ? 'sm' : 'md'}
        highlightOnHover
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map(({ header, width, right }) => (
              <Table.Th key={header} w={width} ta={right === true ? 'right' : undefined}>
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)}>
              {columns.map(({ header, cell, right }) => (
                <Table.Td key={header} ta={right === true ? 'right' : undefined}>
                  {cell(row)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </TableScroller>
  );
}
