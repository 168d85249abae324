import { useSyncExternalStore } from 'react';

/** Whether the control plane's events arrive, so that nobody has to ask for what they tell. */
let live = false;
const listeners = new Set<() => void>();

export function reportLive(next: boolean): void {
  live = next;
  for (const listener of listeners) {
    listener();
  }
}

export function useLive(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    () => live,
  );
}

/** Returns how often to ask for what events tell: not at all while they arrive. */
export function useFallBackInterval(millis: number): number | false {
  return useLive() ? false : millis;
}
