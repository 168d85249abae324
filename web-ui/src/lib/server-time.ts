/** Less may be the way of a response, and the header tells whole seconds. */
const DIFFERENCE_MILLIS_MIN = 5_000;

let ahead = 0;

/** Notes what time the control plane has, from the `Date` of a response that just came. */
export function noteServerTime(date: string | null): void {
  const at = Date.parse(date ?? '');
  if (!Number.isNaN(at)) {
    const difference = at - Date.now();
    ahead = Math.abs(difference) < DIFFERENCE_MILLIS_MIN ? 0 : difference;
  }
}

/** Returns the time of the control plane, in milliseconds since 1970: the clock of a browser may be wrong. */
export function serverNow(): number {
  return Date.now() + ahead;
}
