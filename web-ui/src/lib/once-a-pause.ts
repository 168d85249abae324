import { pause } from '@/lib/pause';

/** How long an act waits for more of what asks for it. */
export interface Pauses {
  /** After the first wish, in milliseconds. */
  readonly first: number;
  /** Between the starts of two acts, in milliseconds: what goes on all the time is not followed at the pace of one change. */
  readonly between: number;
}

/** Returns how to ask for an act, which is done once however often it was asked for within a pause. */
export function onceAPause(signal: AbortSignal, { first, between }: Pauses, act: () => void): () => void {
  let waiting = false;
  let acted = -Infinity;
  return () => {
    if (!waiting) {
      waiting = true;
      const millis = Math.max(first, acted + between - Date.now());
      void pause(Math.min(millis, Math.max(first, between)), signal).then(() => {
        waiting = false;
        acted = Date.now();
        act();
      });
    }
  };
}
