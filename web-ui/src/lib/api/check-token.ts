import { mutationOptions } from '@tanstack/react-query';
import { ApiError, UnreachableError } from '@/lib/api/api-error';
import { failureOf } from '@/lib/api/client';

/** Asks for the smallest thing that needs a token. Succeeds when the control plane accepts this one. */
export const checkToken = mutationOptions({
  mutationFn: async (token: string): Promise<string> => {
    const response = await fetch('/api/v1/revisions?limit=1', {
      headers: { Authorization: `Bearer ${token}` },
    }).catch((cause: unknown) => {
      throw new UnreachableError(cause instanceof Error ? cause.message : String(cause));
    });
    if (response.status === 401) {
      throw new ApiError({
        type: 'about:blank',
        title: 'The control plane did not accept this token.',
        status: 401,
      });
    }
    if (!response.ok) {
      throw await failureOf(response);
    }
    return token;
  },
});
