import { Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import { DataTable, type DataTableProps } from '@/components/data-table';
import { QueryView, type QueryLike } from '@/components/query-view';

export interface TableCardProps<T> extends Omit<DataTableProps<T>, 'rows'> {
  /** Shown when there are no rows. */
  readonly empty: ReactNode;
}

/** A list that is loading, failed, empty, or there. */
export function TableCard<T>({
  query,
  empty,
  ...table
}: TableCardProps<T> & { readonly query: QueryLike<readonly T[]> }) {
  return (
    <Paper withBorder>
      <QueryView query={query}>
        {(rows) => (rows.length === 0 ? empty : <DataTable rows={rows} {...table} />)}
      </QueryView>
    </Paper>
  );
}
