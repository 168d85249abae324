import { expect, it } from 'vitest';
import { rateLimitSentence } from '@/components/form/plugins/rate-limit-sentence';

const END = 'Further requests get 429. Each gateway counts its own requests.';

it.each([
  [
    { requests: 100, periodSeconds: 60, burst: 20, key: 'ADDRESS' },
    `Each client address may send 20 requests at once, and over time 100 requests a minute. One more is allowed every 600 ms. ${END}`,
  ],
  [{ requests: 1 }, `Each client address may send 1 request a second, all of them at once. ${END}`],
  [
    { requests: 5, key: 'HEADER', header: 'X-Api-Key' },
    `Each value of the header X-Api-Key, or the address of a client without it, may send 5 requests a second, all of them at once. One more is allowed every 200 ms. ${END}`,
  ],
  [
    { requests: 10, periodSeconds: 3600, key: 'ROUTE' },
    `All clients of a route together may send 10 requests an hour, all of them at once. One more is allowed every 6 min. ${END}`,
  ],
  [
    { requests: 30, periodSeconds: 90, key: 'CONSUMER' },
    `Each consumer, or the address of a client without one, may send 30 requests in 90 seconds, all of them at once. One more is allowed every 3 s. ${END}`,
  ],
])('says what %j does', (draft, sentence) => {
  expect(rateLimitSentence(draft)).toBe(sentence);
});

it.each([{}, { requests: '' }, { requests: 0 }])('says nothing about %j', (draft) => {
  expect(rateLimitSentence(draft)).toBeUndefined();
});
