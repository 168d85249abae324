import { describe, expect, it } from 'vitest';
import { beforeAndAfter, lastMinutes, slotsIn } from '@/components/traffic-window';
import { noTraffic, type TrafficSlot } from '@/lib/api/get-traffic';

/** One for each five seconds, with so many requests, of which so many failed. */
function slotsOf(...requests: readonly (readonly [number, number] | undefined)[]): readonly TrafficSlot[] {
  return requests.map((pair, i) => ({
    at: i * 5_000,
    figures: pair && { ...noTraffic, requests: pair[0], status5xx: pair[1], p95Millis: pair[0] },
  }));
}

describe('a part of the time', () => {
  it('has its slots, or all when time has moved on', () => {
    const slots = slotsOf([1, 0], [2, 0], [3, 0], [4, 0]);
    expect(slotsIn(slots, { from: 5_000, to: 15_000 }).map(({ at }) => at)).toEqual([5_000, 10_000]);
    expect(slotsIn(slots, { from: 100_000, to: 200_000 })).toBe(slots);
    expect(slotsIn(slots, undefined)).toBe(slots);
    expect(slotsIn(slots, lastMinutes(slots, 0.1)).map(({ at }) => at)).toEqual([10_000, 15_000]);
  });
});

describe('before and after a revision', () => {
  it('compares the same time on both sides, without the slot in which it came', () => {
    const slots = slotsOf([9, 9], [10, 0], [10, 0], [99, 99], [20, 10], [20, 10]);
    expect(beforeAndAfter(slots, 5, 16_000, 11_000)).toEqual({
      before: { requestsPerSecond: 2, failed: 0, p95Millis: 10 },
      after: { requestsPerSecond: 4, failed: 0.5, p95Millis: 20 },
      millis: 11_000,
    });
  });

  it('says nothing while one side has no figures', () => {
    expect(beforeAndAfter(slotsOf([1, 0], [1, 0]), 5, 10_000, 60_000)).toBeUndefined();
    expect(beforeAndAfter(slotsOf(undefined, [1, 0]), 5, 5_000, 60_000)).toBeUndefined();
    expect(beforeAndAfter([], 5, 0, 60_000)).toBeUndefined();
  });
});
