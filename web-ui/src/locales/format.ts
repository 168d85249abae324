// Numbers, dates and times, as they are written in the language of the page.
import { clockLocale, language, locale } from '@/locales/language';

export function number(value: number, options?: Intl.NumberFormatOptions): string {
  return value.toLocaleString(locale, options);
}

/** Returns the date and the time of day, to the second, in local time. */
export function dateTime(at: Date | string | number): string {
  return new Date(at).toLocaleString(clockLocale);
}

/** Returns the time of day in local time. */
export function timeOfDay(at: Date | string | number, options?: Intl.DateTimeFormatOptions): string {
  return new Date(at).toLocaleTimeString(clockLocale, options);
}

const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });

/** Returns how far a moment is from now: "3 minutes ago" for -3 minutes. */
export function fromNow(value: number, unit: Intl.RelativeTimeFormatUnit): string {
  return relative.format(value, unit);
}

const conjunction = new Intl.ListFormat(locale, { style: 'long', type: 'conjunction' });
const disjunction = new Intl.ListFormat(locale, { style: 'long', type: 'disjunction' });

/** Returns "a, b, c". */
export function listed(parts: readonly string[]): string {
  return parts.join(language === 'zh-CN' ? '、' : ', ');
}

/** Returns parts of a sentence, which are no list, with commas between them. */
export function commas(parts: readonly string[]): string {
  return parts.join(language === 'zh-CN' ? '，' : ', ');
}

/** Returns "a, b, and c". */
export function allOf(parts: readonly string[]): string {
  return conjunction.format(parts);
}

/** Returns "a, b, or c". */
export function oneOf(parts: readonly string[]): string {
  return disjunction.format(parts);
}
