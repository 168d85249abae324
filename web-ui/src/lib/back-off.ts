export const BACK_OFF_FIRST_MILLIS = 500;
export const BACK_OFF_MAX_MILLIS = 15_000;

/** Returns how long to wait before try number `failures`: doubling, capped, and spread so that dashboards do not return at once. */
export function backOffMillis(failures: number, random: () => number = Math.random): number {
  const ceiling = Math.min(BACK_OFF_MAX_MILLIS, BACK_OFF_FIRST_MILLIS * 2 ** Math.min(failures, 10));
  return ceiling / 2 + (ceiling / 2) * random();
}
