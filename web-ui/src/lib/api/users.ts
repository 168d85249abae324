import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { NewUser, UserPatch } from '#client';
import { api, call } from '@/lib/api/client';

/** More than that nobody looks through by eye. */
const USERS_MAX = 1000;

export const listUsers = queryOptions({
  queryKey: ['users'],
  queryFn: async ({ signal }) =>
    (await call(api.access.listUsersRaw({ limit: USERS_MAX }, { signal }))).value.items,
});

export function useCreateUser() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (newUser: NewUser) => call(api.access.createUserRaw({ newUser })),
    onSuccess: () => void client.invalidateQueries({ queryKey: listUsers.queryKey }),
  });
}

export function usePatchUser() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, patch }: { name: string; patch: UserPatch }) =>
      call(api.access.patchUserRaw({ name, userPatch: patch })),
    onSuccess: () => void client.invalidateQueries({ queryKey: listUsers.queryKey }),
  });
}

export function useDeleteUser() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => call(api.access.deleteUserRaw({ name })),
    onSuccess: () => void client.invalidateQueries({ queryKey: listUsers.queryKey }),
  });
}
