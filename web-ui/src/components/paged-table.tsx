import { Button, Group } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { ProblemAlert } from '@/components/problem-alert';
import { TableCard, type TableCardProps } from '@/components/table-card';
import { t } from '@/locales';

interface PagedTableProps<T> extends TableCardProps<T> {
  readonly query: UseInfiniteQueryResult<InfiniteData<{ readonly items: readonly T[] }>>;
}

/** A list that comes page by page. */
export function PagedTable<T>({ query, ...card }: PagedTableProps<T>) {
  const { data, error, refetch } = query;
  return (
    <>
      <TableCard query={{ data: data?.pages.flatMap((page) => page.items), error, refetch }} {...card} />
      {query.isFetchNextPageError && <ProblemAlert error={query.error} />}
      {query.hasNextPage && (
        <Group justify="center" mt="md">
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t('Load more')}
          </Button>
        </Group>
      )}
    </>
  );
}
