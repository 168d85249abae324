import { AuditKind, AuditOutcome } from '#client';
import type { AuditFilter } from '@/lib/api/audit';
import { momentOf } from '@/lib/moment';

/** Returns the filter that an address names; what it does not know is left out. */
export function auditFilterOf(search: Readonly<Record<string, unknown>>): AuditFilter {
  const text = (value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? String(value) || undefined : undefined;
  return {
    who: text(search.who),
    action: text(search.action),
    outcome: Object.values(AuditOutcome).find((outcome) => outcome === search.outcome),
    kind: Object.values(AuditKind).find((kind) => kind === search.kind),
    id: text(search.id),
    from: momentOf(search.from),
    to: momentOf(search.to),
  };
}
