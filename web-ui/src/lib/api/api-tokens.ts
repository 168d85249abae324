import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { NewApiToken } from '#client';
import { api, call } from '@/lib/api/client';

const TOKENS_MAX = 1000;

export const listApiTokens = queryOptions({
  queryKey: ['api-tokens'],
  queryFn: async ({ signal }) =>
    (await call(api.access.listApiTokensRaw({ limit: TOKENS_MAX }, { signal }))).value.items,
});

export function useCreateApiToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (newApiToken: NewApiToken) => call(api.access.createApiTokenRaw({ newApiToken })),
    // The answer holds the token, which nobody may find in a cache later.
    gcTime: 0,
    onSuccess: () => void client.invalidateQueries({ queryKey: listApiTokens.queryKey }),
  });
}

export function useDeleteApiToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => call(api.access.deleteApiTokenRaw({ name })),
    onSuccess: () => void client.invalidateQueries({ queryKey: listApiTokens.queryKey }),
  });
}
