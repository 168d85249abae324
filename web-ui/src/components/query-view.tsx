import { Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemAlert } from '@/components/problem-alert';
import { UnreachableError } from '@/lib/api/api-error';
import { useReachable } from '@/lib/reachability';
import { t } from '@/locales';

export interface QueryLike<T> {
  readonly data: T | undefined;
  readonly error: Error | null;
  readonly refetch: () => unknown;
}

interface QueryViewProps<T> {
  readonly query: QueryLike<T>;
  readonly children: (data: T) => ReactNode;
  /** How many lines of skeleton stand for what is loading. */
  readonly lines?: number;
}

/** Loading, failed, or there. What was loaded before stays on the screen when a later load fails. */
export function QueryView<T>({ query, children, lines = 5 }: QueryViewProps<T>) {
  const reachable = useReachable();
  if (query.data !== undefined) {
    return children(query.data);
  }
  if (query.error !== null) {
    if (!reachable && query.error instanceof UnreachableError) {
      // The banner alerts, offers to try now, and loads everything again.
      return (
        <Text p="md" size="sm" c="dimmed">
          {t('Not loaded yet. It is loaded when the control plane is back.')}
        </Text>
      );
    }
    return (
      <div style={{ padding: 'var(--mantine-spacing-md)' }}>
        <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />
      </div>
    );
  }
  return (
    <Stack gap="sm" p="md" role="status" aria-label={t('Loading')}>
      {Array.from({ length: lines }, (_, index) => (
        <Skeleton key={index} height={18} width={`${92 - ((index * 17) % 40)}%`} />
      ))}
    </Stack>
  );
}
