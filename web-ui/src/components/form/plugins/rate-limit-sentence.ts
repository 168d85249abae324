import { textOf, type Draft } from '@/components/form/draft';

const periods: Readonly<Record<number, string>> = { 1: 'second', 60: 'minute', 3600: 'hour', 86_400: 'day' };

/** Returns what a rate limit does; nothing while it has no number of requests. */
export function rateLimitSentence({
  requests,
  periodSeconds,
  burst,
  key,
  header,
}: Draft): string | undefined {
  if (typeof requests !== 'number' || requests < 1) {
    return undefined;
  }
  const seconds = typeof periodSeconds === 'number' && periodSeconds > 0 ? periodSeconds : 1;
  const most = typeof burst === 'number' && burst > 0 ? burst : requests;
  const each = `${countOf(requests)} ${periodOf(seconds)}`;
  const who = whoOf(textOf(key) || 'ADDRESS', textOf(header));
  const rule =
    most === requests
      ? `${who} may send ${each}, all of them at once.`
      : `${who} may send ${countOf(most)} at once, and over time ${each}.`;
  const every = requests === 1 ? '' : ` A new one becomes free every ${timeOf(seconds / requests)}.`;
  return `${rule}${every} Further requests get 429. Each gateway counts its own.`;
}

function countOf(requests: number): string {
  return `${requests.toLocaleString('en')} ${requests === 1 ? 'request' : 'requests'}`;
}

function periodOf(seconds: number): string {
  const name = periods[seconds];
  return name === undefined
    ? `in ${seconds.toLocaleString('en')} seconds`
    : `${name === 'hour' ? 'an' : 'a'} ${name}`;
}

function timeOf(seconds: number): string {
  const [value, unit] =
    seconds < 0.001
      ? [seconds * 1e6, 'µs']
      : seconds < 1
        ? [seconds * 1e3, 'ms']
        : seconds < 120
          ? [seconds, 's']
          : [seconds / 60, 'min'];
  return `${value.toLocaleString('en', { maximumSignificantDigits: 3 })} ${unit}`;
}

function whoOf(key: string, header: string): string {
  switch (key) {
    case 'CONSUMER':
      return 'Each consumer, or the address of a client without one,';
    case 'HEADER':
      return `Each value of the header ${header || '…'}, or the address of a client without it,`;
    case 'ROUTE':
      return 'All clients of a route together';
    default:
      return 'Each client address';
  }
}
