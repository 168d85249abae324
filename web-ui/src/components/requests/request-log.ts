import type { LastRequest, LastRequests, MissingRequests } from '#client';

/** What stays on the page; older ones go. */
export const ROWS_MAX = 1_000;

/** The requests on a page. */
export interface RequestLog {
  /** The newest first. */
  readonly rows: readonly LastRequest[];
  /** How many matched since the page began to listen, also those that the gateways did not keep. */
  readonly matched: number;
  /** How many of them came. */
  readonly told: number;
  readonly missing: readonly MissingRequests[];
  /** Whether anything was heard yet. */
  readonly heard: boolean;
}

export const emptyLog: RequestLog = { rows: [], matched: 0, told: 0, missing: [], heard: false };

/** Returns the log with what came; a request that is there already stays where it is. */
export function withRequests(log: RequestLog, { items, matched, missing }: LastRequests): RequestLog {
  const known = new Set(log.rows.map(keyOf));
  const fresh = items.filter((item) => {
    const key = keyOf(item);
    const isNew = !known.has(key);
    known.add(key);
    return isNew;
  });
  return {
    rows: fresh.length === 0 ? log.rows : merged(fresh, log.rows).slice(0, ROWS_MAX),
    matched: log.matched + matched,
    // What was kept before anybody listened does not count.
    told: log.told + Math.min(fresh.length, matched),
    missing,
    heard: true,
  };
}

export function keyOf({ gatewayId, id }: LastRequest): string {
  return `${gatewayId} ${id}`;
}

/** Gateways answer one after the other, so that what came may be older than what is there. */
function merged(fresh: readonly LastRequest[], rows: readonly LastRequest[]): LastRequest[] {
  return [...fresh, ...rows].sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}
