import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, call } from '@/lib/api/client';
import { listGateways } from '@/lib/api/list-gateways';

export function useWaiveGateway() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (waiver: { id: string; reason?: string }) =>
      (await call(api.gateways.waiveGatewayRaw(waiver))).value,
    // So that the answer is on the screen before everything is asked for again.
    onSuccess: (waiver) =>
      client.setQueryData(listGateways.queryKey, (known) =>
        known?.map((gateway) =>
          gateway.id === waiver.gatewayId ? { ...gateway, waived: true, waiver } : gateway,
        ),
      ),
    onSettled: () => client.invalidateQueries({ queryKey: listGateways.queryKey }),
  });
}

export function useEndGatewayWaiver() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(api.gateways.endGatewayWaiverRaw({ id })),
    onSettled: () => client.invalidateQueries({ queryKey: listGateways.queryKey }),
  });
}
