import type { TrafficFigures } from '#client';
import { isReported, type ReportedSlot, type TrafficSlot } from '@/lib/api/get-traffic';

/** A part of the time that charts show, in milliseconds; `to` is not in it. */
export interface TimeWindow {
  readonly from: number;
  readonly to: number;
}

/** Fewer slots are no line. */
const SLOTS_MIN = 2;

/** Returns the slots in a part of the time; all of them when it has too few, as time has moved on. */
export function slotsIn(
  slots: readonly TrafficSlot[],
  window: TimeWindow | undefined,
): readonly TrafficSlot[] {
  const inside = window === undefined ? slots : slots.filter(({ at }) => at >= window.from && at < window.to);
  return inside.length < SLOTS_MIN ? slots : inside;
}

/** Returns the last minutes of the slots. */
export function lastMinutes(slots: readonly TrafficSlot[], minutes: number): TimeWindow | undefined {
  const last = slots.at(-1)?.at;
  return last === undefined ? undefined : { from: last - minutes * 60_000, to: Infinity };
}

export interface Effect {
  readonly requestsPerSecond: number;
  /** Of 1. */
  readonly failed: number;
  /** The median of those of the slots, as percentiles cannot be added. Undefined where nothing came. */
  readonly p95Millis: number | undefined;
}

/**
 * Returns the figures before and after a moment, over the same time on both sides: as long as both have it, at most
 * `millisMax`. Undefined while one side has no slot that was reported.
 */
export function beforeAndAfter(
  slots: readonly TrafficSlot[],
  slotSeconds: number,
  moment: number,
  millisMax: number,
): { readonly before: Effect; readonly after: Effect; readonly millis: number } | undefined {
  const slotMillis = slotSeconds * 1000;
  const first = slots[0]?.at ?? moment;
  const end = (slots.at(-1)?.at ?? moment) + slotMillis;
  const millis = Math.min(millisMax, moment - first, end - moment);
  // The slot in which it happened belongs to neither.
  const before = slots.filter(({ at }) => at >= moment - millis && at + slotMillis <= moment);
  const after = slots.filter(({ at }) => at >= moment && at + slotMillis <= moment + millis);
  const [old, now] = [before.filter(isReported), after.filter(isReported)];
  return old.length === 0 || now.length === 0
    ? undefined
    : { before: effectOf(old, slotSeconds), after: effectOf(now, slotSeconds), millis };
}

function effectOf(slots: readonly ReportedSlot[], slotSeconds: number): Effect {
  const sum = (figure: (figures: TrafficFigures) => number) =>
    slots.reduce((before, { figures }) => before + figure(figures), 0);
  const requests = sum((figures) => figures.requests);
  const durations = slots
    .filter(({ figures }) => figures.requests > 0)
    .map(({ figures }) => figures.p95Millis)
    .sort((one, other) => one - other);
  return {
    requestsPerSecond: requests / (slots.length * slotSeconds),
    failed: requests === 0 ? 0 : sum((figures) => figures.status5xx + figures.unanswered) / requests,
    p95Millis: durations[Math.floor(durations.length / 2)],
  };
}
