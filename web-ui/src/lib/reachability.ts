import { useSyncExternalStore } from 'react';
import { backOffMillis } from '@/lib/back-off';

/** Whoever was reachable for this long is believed at once when it is back again. */
export const CALM_MILLIS = 30_000;

/** Whether the control plane answered when it was last asked for anything. */
let reachable = true;
let reachableSince = -Infinity;
let relapses = 0;
let believedFrom = -Infinity;
/** Whether the control plane itself said that it is of no use now; then it has to take that back. */
let disowned = false;
const listeners = new Set<() => void>();

export function isReachable(): boolean {
  return reachable;
}

/**
 * Notes how a call ended. Being back makes every page load again; where some calls fail while others succeed, that would go
 * round without a pause, so after a relapse a success counts only when a while has passed, longer each time.
 */
export function reportReachable(next: boolean, now: number = Date.now()): void {
  if (next === reachable || (next && (disowned || now < believedFrom))) {
    return;
  }
  if (next) {
    reachableSince = now;
  } else {
    relapses = now - reachableSince < CALM_MILLIS ? relapses + 1 : 0;
    believedFrom = relapses === 0 ? now : now + backOffMillis(relapses);
  }
  reachable = next;
  for (const listener of listeners) {
    listener();
  }
}

/** Notes what the control plane says about itself. Without its database it answers some calls from memory, with what is old. */
export function reportUsable(usable: boolean): void {
  disowned = !usable;
  reportReachable(usable);
}

/** Begins anew, as after a load of the page. */
export function resetReachable(): void {
  reachable = true;
  reachableSince = -Infinity;
  relapses = 0;
  believedFrom = -Infinity;
  disowned = false;
  for (const listener of listeners) {
    listener();
  }
}

export function useReachable(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, isReachable);
}
