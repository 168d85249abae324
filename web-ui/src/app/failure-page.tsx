import type { ErrorComponentProps } from '@tanstack/react-router';
import { ProblemAlert } from '@/components/problem-alert';

export function FailurePage({ error, reset }: ErrorComponentProps) {
  return <ProblemAlert error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />;
}
