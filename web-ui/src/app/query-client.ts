import { QueryClient } from '@tanstack/react-query';
import { UnreachableError } from '@/lib/api/api-error';

export function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The control plane may run on this very machine: being offline says nothing about it.
        networkMode: 'always',
        staleTime: 5_000,
        retry: (failures, error) => error instanceof UnreachableError && failures < 1,
        retryDelay: 400,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}
