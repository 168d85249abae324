import { queryOptions } from '@tanstack/react-query';
import { api, call } from '@/lib/api/client';

const PENDING_REFRESH_MILLIS = 2_000;

/** What each gateway said to a revision; asked for again while an answer is missing that may still come. */
export function getRevisionAcks(number: number) {
  return queryOptions({
    queryKey: ['revisions', 'acks', number],
    queryFn: async ({ signal }) =>
      (await call(api.revisions.getRevisionAcksRaw({ number }, { signal }))).value,
    refetchInterval: ({ state }) =>
      state.data?.gateways.some(({ answer, live }) => live && answer === 'PENDING') === true
        ? PENDING_REFRESH_MILLIS
        : false,
  });
}
