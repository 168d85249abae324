import { infiniteQueryOptions, mutationOptions } from '@tanstack/react-query';
import type { AuditKind, AuditOutcome } from '#client';
import { api, call, failureOf } from '@/lib/api/client';
import { currentSession } from '@/lib/session';

const PAGE_SIZE = 50;

/** Which records are wanted; what is absent is no condition. */
export interface AuditFilter {
  readonly who?: string;
  readonly action?: string;
  readonly outcome?: AuditOutcome;
  readonly kind?: AuditKind;
  readonly id?: string;
  /** Records of this time or later, as ISO 8601. */
  readonly from?: string;
  /** Records before this time, as ISO 8601. */
  readonly to?: string;
}

/** Newest first. */
export function listAuditRecords(filter: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['audit', filter],
    queryFn: async ({ pageParam, signal }) =>
      (
        await call(
          api.audit.listAuditRecordsRaw({ ...filter, limit: PAGE_SIZE, cursor: pageParam }, { signal }),
        )
      ).value,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
  });
}

export const verifyAuditLog = mutationOptions({
  mutationFn: async () => (await call(api.audit.verifyAuditLogRaw({}))).value,
});

/** Fetches the file; a link could not carry a token. */
export const exportAuditRecords = mutationOptions({
  mutationFn: async ({ filter, format }: { filter: AuditFilter; format: 'csv' | 'ndjson' }) => {
    const asked = currentSession();
    const query = new URLSearchParams({ format });
    for (const [key, value] of Object.entries<string | undefined>({ ...filter })) {
      if (value !== undefined) {
        query.set(key, value);
      }
    }
    const response = await fetch(`/api/v1/audit/export?${query.toString()}`, {
      headers: asked.token === undefined ? {} : { Authorization: `Bearer ${asked.token}` },
    });
    if (!response.ok) {
      throw await failureOf(response, asked);
    }
    return response.blob();
  },
});
