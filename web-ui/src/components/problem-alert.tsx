import { Alert, Button, List } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { FieldError } from '#client';
import { useOutlived } from '@/components/use-outlived';
import { ApiError } from '@/lib/api/api-error';

interface ProblemAlertProps {
  readonly error: Error;
  readonly onRetry?: () => void;
  /** Which of the problem's errors to list; all by default. */
  readonly errors?: readonly FieldError[];
}

/** What went wrong, in the control plane's own words. */
export function ProblemAlert({ error, onRetry, errors }: ProblemAlertProps) {
  const outlived = useOutlived(error);
  if (outlived) {
    return null;
  }
  const problem = error instanceof ApiError ? error.problem : undefined;
  const listed = errors ?? problem?.errors ?? [];
  const title =
    problem?.title ?? (error.name === 'UnreachableError' ? 'Control plane unreachable' : 'Something failed');
  const detail = problem === undefined ? error.message : problem.detail;
  return (
    <Alert color="red" icon={<IconAlertCircle />} title={title} role="alert">
      {detail !== title && detail}
      {listed.length > 0 && (
        <List size="sm" mt="xs">
          {listed.map(({ pointer, detail: what }) => (
            <List.Item key={`${pointer} ${what}`}>
              <code>{pointer === '' ? '/' : pointer}</code> {what}
            </List.Item>
          ))}
        </List>
      )}
      {onRetry !== undefined && (
        <Button mt="sm" size="compact-sm" variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}
