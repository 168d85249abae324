import { mutationOptions } from '@tanstack/react-query';
import type { Account } from '#client';
import { ApiError, UnreachableError } from '@/lib/api/api-error';
import { failureOf } from '@/lib/api/client';
import { currentSession } from '@/lib/session';
import { t } from '@/locales';

/** Asks whose token this is. Succeeds when the control plane accepts it. */
export const checkToken = mutationOptions({
  mutationFn: async (token: string): Promise<{ token: string; account: Account }> => {
    const response = await fetch('/api/v1/session', {
      headers: { Authorization: `Bearer ${token}` },
    }).catch((cause: unknown) => {
      throw new UnreachableError(cause instanceof Error ? cause.message : String(cause));
    });
    if (response.status === 401) {
      throw new ApiError({
        type: 'about:blank',
        title: t('The control plane did not accept this token.'),
        status: 401,
      });
    }
    if (!response.ok) {
      throw await failureOf(response, currentSession());
    }
    return { token, account: (await response.json()) as Account };
  },
});
