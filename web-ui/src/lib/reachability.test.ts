import { beforeEach, describe, expect, it } from 'vitest';
import { BACK_OFF_MAX_MILLIS } from '@/lib/back-off';
import { CALM_MILLIS, isReachable, reportReachable, resetReachable } from '@/lib/reachability';

describe('reachability', () => {
  beforeEach(resetReachable);

  it('believes the first success after the first failure', () => {
    reportReachable(false, 0);
    expect(isReachable()).toBe(false);
    reportReachable(true, 1);
    expect(isReachable()).toBe(true);
  });

  it('waits longer and longer while some calls fail and others succeed', () => {
    let now = 0;
    let turns = 0;
    for (; now < 60_000; now += 10) {
      if (isReachable()) {
        turns += 1;
        reportReachable(false, now);
      } else {
        reportReachable(true, now);
      }
    }
    expect(turns).toBeGreaterThan(3);
    expect(turns).toBeLessThan(20);
    reportReachable(true, now + BACK_OFF_MAX_MILLIS);
    expect(isReachable()).toBe(true);
  });

  it('forgets relapses after a calm while', () => {
    reportReachable(false, 0);
    reportReachable(true, 1);
    reportReachable(false, 2);
    reportReachable(true, 3);
    expect(isReachable()).toBe(false);
    reportReachable(true, 2_000);
    expect(isReachable()).toBe(true);
    reportReachable(false, 2_000 + CALM_MILLIS);
    reportReachable(true, 2_001 + CALM_MILLIS);
    expect(isReachable()).toBe(true);
  });
});
