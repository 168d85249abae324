import { Alert, Button, List } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import type { FieldError } from '#client';
import { FieldErrorText } from '@/components/form/field-error-text';
import { useOutlived } from '@/components/use-outlived';
import { ApiError } from '@/lib/api/api-error';
import { t } from '@/locales';
import { translateServer } from '@/locales/server';

interface ProblemAlertProps {
  readonly error: Error;
  readonly onRetry?: () => void;
  /** Which of the problem's errors to list; all by default. */
  readonly errors?: readonly FieldError[];
  /** The errors are about a document that somebody wrote, who looks for them by their pointer. */
  readonly inDocument?: boolean;
}

/** What went wrong, and where. */
export function ProblemAlert({ error, onRetry, errors, inDocument }: ProblemAlertProps) {
  const outlived = useOutlived(error);
  if (outlived) {
    return null;
  }
  const problem = error instanceof ApiError ? error.problem : undefined;
  const listed = errors ?? problem?.errors ?? [];
  const title =
    problem === undefined
      ? t(error.name === 'UnreachableError' ? 'Control plane unreachable' : 'Something failed')
      : translateServer(problem.title);
  const detail = error.message;
  return (
    <Alert color="red" icon={<IconAlertCircle />} title={title} role="alert">
      {detail !== title && detail}
      {listed.length > 0 && (
        <List size="sm" mt="xs">
          {listed.map((one) => (
            <List.Item key={`${one.pointer} ${one.detail}`}>
              {inDocument === true ? (
                <>
                  <code>{one.pointer === '' ? '/' : one.pointer}</code> {translateServer(one.detail)}
                </>
              ) : (
                <FieldErrorText error={one} />
              )}
            </List.Item>
          ))}
        </List>
      )}
      {onRetry !== undefined && (
        <Button mt="sm" size="compact-sm" variant="default" onClick={onRetry}>
          {t('Try again')}
        </Button>
      )}
    </Alert>
  );
}
