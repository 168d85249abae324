import { queryOptions } from '@tanstack/react-query';
import type { RevisionAcks } from '#client';
import { api, call } from '@/lib/api/client';

/** What each gateway said to a revision. The event stream tells when there is more. */
export function getRevisionAcks(number: number) {
  return queryOptions({
    queryKey: ['revisions', 'acks', number],
    queryFn: async ({ signal }) =>
      (await call(api.revisions.getRevisionAcksRaw({ number }, { signal }))).value,
  });
}

/** Whether an answer is missing that may still come. */
export function isPending(acks: RevisionAcks | undefined): boolean {
  return acks?.gateways.some(({ answer, live }) => live && answer === 'PENDING') === true;
}
