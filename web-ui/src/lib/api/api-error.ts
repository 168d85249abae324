import type { Problem } from '#client';
import { problemText } from '@/lib/api/problem-text';
import { t } from '@/locales';

/** The control plane answered, and said no. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(readonly problem: Problem) {
    super(problemText(problem));
  }

  get status(): number {
    return this.problem.status;
  }
}

/** No control plane answered: the network failed, or something in front of it did. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';

  constructor(readonly reason: string) {
    super(t('The control plane cannot be reached ({reason}).', { reason }));
  }
}
