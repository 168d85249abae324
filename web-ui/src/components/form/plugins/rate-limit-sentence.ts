import { textOf, type Draft } from '@/components/form/draft';
import { many, number, t } from '@/locales';

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
  const rate = rateOf(requests, seconds);
  const who = whoOf(textOf(key) || 'ADDRESS', textOf(header));
  const rule =
    most === requests
      ? t('{who} may send {rate}, all of them at once.', { who, rate })
      : t('{who} may send {count} at once, and over time {rate}.', { who, count: countOf(most), rate });
  const every =
    requests === 1
      ? rule
      : t('{first} {second}', {
          first: rule,
          second: t('One more is allowed every {time}.', { time: timeOf(seconds / requests) }),
        });
  return t('{first} {second}', {
    first: every,
    second: t('Further requests get 429. Each gateway counts its own requests.'),
  });
}

function countOf(requests: number): string {
  return many(requests, '{count} request', '{count} requests');
}

function rateOf(requests: number, seconds: number): string {
  const count = countOf(requests);
  switch (seconds) {
    case 1:
      return t('{count} a second', { count });
    case 60:
      return t('{count} a minute', { count });
    case 3600:
      return t('{count} an hour', { count });
    case 86_400:
      return t('{count} a day', { count });
    default:
      return t('{count} in {seconds} seconds', { count, seconds: number(seconds) });
  }
}

function timeOf(seconds: number): string {
  const [value, unit] =
    seconds < 0.001
      ? [seconds * 1e6, 'µs']
      : seconds < 1
        ? [seconds * 1e3, 'ms']
        : seconds < 120
          ? [seconds, 's']
          : [seconds / 60, t('min')];
  return `${number(value, { maximumSignificantDigits: 3 })} ${unit}`;
}

function whoOf(key: string, header: string): string {
  switch (key) {
    case 'CONSUMER':
      return t('Each consumer, or the address of a client without one,');
    case 'HEADER':
      return t('Each value of the header {name}, or the address of a client without it,', {
        name: header || '…',
      });
    case 'ROUTE':
      return t('All clients of a route together');
    default:
      return t('Each client address');
  }
}
