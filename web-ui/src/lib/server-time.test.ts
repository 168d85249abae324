import { afterEach, describe, expect, it, vi } from 'vitest';
import { noteServerTime, serverNow } from '@/lib/server-time';

describe('the time of the control plane', () => {
  afterEach(() => {
    noteServerTime(new Date().toUTCString());
    vi.useRealTimers();
  });

  it('is that of the browser as long as both are about the same', () => {
    vi.useFakeTimers({ now: 1_700_000_000_000 });
    noteServerTime(new Date(1_700_000_003_000).toUTCString());
    expect(serverNow()).toBe(1_700_000_000_000);
    noteServerTime(null);
    noteServerTime('soon');
    expect(serverNow()).toBe(1_700_000_000_000);
  });

  it('goes on from what a response said, however wrong the clock of the browser is', () => {
    vi.useFakeTimers({ now: 1_700_000_000_000 });
    noteServerTime(new Date(1_700_003_600_000).toUTCString());
    vi.setSystemTime(1_700_000_010_000);
    expect(serverNow()).toBe(1_700_003_610_000);
    // The clock of the browser is put right.
    vi.setSystemTime(1_700_003_620_000);
    noteServerTime(new Date(1_700_003_620_000).toUTCString());
    expect(serverNow()).toBe(1_700_003_620_000);
  });
});
