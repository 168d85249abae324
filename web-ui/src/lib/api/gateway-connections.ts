import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ConnectionProtocol } from '#client';
import { api, call } from '@/lib/api/client';

const REFRESH_MILLIS = 5_000;

export interface ConnectionFilter {
  readonly proxyServerId?: string;
  readonly upstreamId?: string;
  readonly node?: string;
  readonly clientAddress?: string;
  readonly protocol?: ConnectionProtocol;
}

/** The oldest open connections of a gateway, except those of HTTP. */
export function listGatewayConnections(id: string, filter: ConnectionFilter) {
  return queryOptions({
    queryKey: ['gateway-connections', id, filter],
    queryFn: async ({ signal }) =>
      (await call(api.gateways.listGatewayConnectionsRaw({ id, ...filter }, { signal }))).value,
    refetchInterval: REFRESH_MILLIS,
    // Of a gateway that does not answer, that is said at once.
    retry: false,
  });
}

export function useCloseGatewayConnection() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (connection: { id: string; connectionId: string }) =>
      call(api.gateways.closeGatewayConnectionRaw(connection)),
    onSettled: (_done, _error, { id }) => client.invalidateQueries({ queryKey: ['gateway-connections', id] }),
  });
}
