import { number } from '@/locales';
const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Returns a number with about three digits. */
export function short(value: number): string {
  const digits = value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 2;
  return number(value, { maximumFractionDigits: digits });
}

export function bytes(value: number): string {
  const power = Math.min(units.length - 1, value < 1 ? 0 : Math.floor(Math.log2(value) / 10));
  return `${short(value / 1024 ** power)} ${units[power] ?? 'B'}`;
}

/** Returns a duration, in seconds from one second on: the figures of an axis have one unit. */
export function millis(value: number): string {
  return value >= 1_000 ? `${short(value / 1000)} s` : `${short(value)} ms`;
}

export function percent(part: number, whole: number): string {
  const value = whole === 0 ? 0 : (100 * part) / whole;
  return value > 0 && value < 0.01 ? '< 0.01 %' : `${short(value)} %`;
}

/** Returns the least of 1, 2, 5, 10, 20, … that is not below the value: where an axis ends well. */
export function ceilingOf(value: number): number {
  if (value <= 0) {
    return 1;
  }
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5].find((step) => step * power >= value) ?? 10);
}

/** As {@link ceilingOf}, in the unit in which so many bytes are shown. */
export function bytesCeilingOf(value: number): number {
  const unit = 1024 ** (value < 1 ? 0 : Math.floor(Math.log2(value) / 10));
  return Math.min(ceilingOf(value / unit), 1024) * unit;
}
