import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BatchOperation } from '#client';
import { PageHeader } from '@/components/page-header';
import { QueryView } from '@/components/query-view';
import { RouteTestForm } from '@/features/route-test/route-test-form';
import { RouteTestOutcome } from '@/features/route-test/route-test-outcome';
import { ApiError } from '@/lib/api/api-error';
import { testRoute, type RouteTestWish } from '@/lib/api/test-route';

interface RouteTestPageProps {
  readonly wish: RouteTestWish;
  readonly onWish: (wish: RouteTestWish) => void;
}

/** Asks a gateway what would become of a request. The question is in the address, so that it can be sent to somebody. */
export function RouteTestPage({ wish, onWish }: RouteTestPageProps) {
  // Not in the address: it can be long, and may hold a secret.
  const [operations, setOperations] = useState<readonly BatchOperation[]>();
  const query = useQuery(testRoute(wish, operations));
  const errors = query.error instanceof ApiError ? (query.error.problem.errors ?? []) : [];
  return (
    <>
      <PageHeader
        title="Route tester"
        subtitle="Ask a gateway how it would handle a request. It sends nothing to a node and counts nothing."
      />
      <RouteTestForm
        wish={wish}
        errors={errors}
        pending={query.isFetching}
        onTest={(next, draft) => {
          const sameWish = JSON.stringify(next) === JSON.stringify(wish);
          if (JSON.stringify(draft) !== JSON.stringify(operations)) {
            setOperations(draft);
          } else if (sameWish) {
            void query.refetch();
          }
          if (!sameWish) {
            onWish(next);
          }
        }}
      />
      <div aria-live="polite" style={{ marginTop: 'var(--mantine-spacing-md)' }}>
        {wish.url === undefined ? (
          <Text size="sm" c="dimmed">
            The answer shows the matching route, why other routes do not match, the filters, and the request
            that a node would receive.
          </Text>
        ) : (
          <QueryView query={{ ...query, data: query.isError ? undefined : query.data }}>
            {(result) => <RouteTestOutcome result={result} draft={operations !== undefined} />}
          </QueryView>
        )}
      </div>
    </>
  );
}
