import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { onceAPause } from '@/lib/once-a-pause';

const pauses = { first: 400, between: 2_000 };

describe('an act once a pause', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('comes soon after one wish, and seldom while wishes go on', async () => {
    const act = vi.fn();
    const ask = onceAPause(new AbortController().signal, pauses, act);
    ask();
    await vi.advanceTimersByTimeAsync(400);
    expect(act).toHaveBeenCalledTimes(1);
    // Ten a second.
    for (let wish = 0; wish < 100; wish++) {
      ask();
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(act).toHaveBeenCalledTimes(6);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(act).toHaveBeenCalledTimes(6);
    ask();
    await vi.advanceTimersByTimeAsync(400);
    expect(act).toHaveBeenCalledTimes(7);
  });

  it('does not wait longer because a clock was set back', async () => {
    const act = vi.fn();
    const ask = onceAPause(new AbortController().signal, pauses, act);
    ask();
    await vi.advanceTimersByTimeAsync(400);
    vi.setSystemTime(Date.now() - 3_600_000);
    ask();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(act).toHaveBeenCalledTimes(2);
  });
});
