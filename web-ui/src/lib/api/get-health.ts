import { queryOptions } from '@tanstack/react-query';
import { api, call } from '@/lib/api/client';
import { reportUsable } from '@/lib/reachability';

/** Whoever waits for it would wait as long as a control plane that takes the connection and does not answer. */
const ANSWER_MILLIS_MAX = 5_000;

export const getHealth = queryOptions({
  queryKey: ['health'],
  queryFn: async ({ signal }) => {
    const { value } = await call(
      api.open.getHealthRaw({ signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MILLIS_MAX)]) }),
    );
    reportUsable(true);
    return value;
  },
  retry: false,
});
