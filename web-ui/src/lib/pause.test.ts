import { describe, expect, it, vi } from 'vitest';
import { pause } from '@/lib/pause';

describe('a pause', () => {
  it('leaves no listener at a signal that outlives it', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    await pause(1, signal);
    expect(added).toHaveBeenCalledTimes(1);
    expect(removed.mock.calls).toEqual(added.mock.calls);
  });

  it('ends with its signal', async () => {
    const ending = new AbortController();
    const paused = pause(60_000, ending.signal);
    ending.abort();
    await expect(paused).resolves.toBeUndefined();
  });
});
