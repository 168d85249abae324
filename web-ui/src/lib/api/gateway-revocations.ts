import { queryOptions, useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { GatewayRevocation } from '#client';
import { api, call } from '@/lib/api/client';
import { listGateways } from '@/lib/api/list-gateways';

const PAGE_SIZE = 1000;
/** As many as the control plane lets be revoked. */
const REVOCATIONS_MAX = 10_000;
/** No event tells of them. */
const REFRESH_MILLIS = 15_000;

/** The gateways that are shut out, ordered by id. Admins only. */
export const listGatewayRevocations = queryOptions({
  queryKey: ['gateway-revocations'],
  queryFn: async ({ signal }): Promise<readonly GatewayRevocation[]> => {
    const revocations: GatewayRevocation[] = [];
    let cursor: string | undefined;
    do {
      const { items, nextCursor } = (
        await call(api.gateways.listGatewayRevocationsRaw({ limit: PAGE_SIZE, cursor }, { signal }))
      ).value;
      revocations.push(...items);
      cursor = nextCursor;
    } while (cursor !== undefined && revocations.length < REVOCATIONS_MAX);
    return revocations;
  },
  refetchInterval: REFRESH_MILLIS,
});

export function useRevokeGateway() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (revocation: { id: string; reason?: string }) =>
      (await call(api.gateways.revokeGatewayRaw(revocation))).value,
    onSuccess: (revocation) => replace(client, revocation.gatewayId, [revocation]),
    onSettled: () => refresh(client),
  });
}

export function useReadmitGateway() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(api.gateways.readmitGatewayRaw({ id })),
    onSuccess: (_, id) => replace(client, id, []),
    onSettled: () => refresh(client),
  });
}

/** So that the answer is on the screen before everything is asked for again. */
function replace(client: QueryClient, id: string, by: readonly GatewayRevocation[]): void {
  client.setQueryData(
    listGatewayRevocations.queryKey,
    (known) => known && [...known.filter(({ gatewayId }) => gatewayId !== id), ...by],
  );
}

function refresh(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: listGatewayRevocations.queryKey });
  void client.invalidateQueries({ queryKey: listGateways.queryKey });
}
