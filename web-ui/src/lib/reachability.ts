import { useSyncExternalStore } from 'react';

/** Whether the control plane answered when it was last asked for anything. */
let reachable = true;
const listeners = new Set<() => void>();

export function isReachable(): boolean {
  return reachable;
}

export function reportReachable(next: boolean): void {
  if (next !== reachable) {
    reachable = next;
    for (const listener of listeners) {
      listener();
    }
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
