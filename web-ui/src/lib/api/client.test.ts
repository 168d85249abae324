import { expect, test } from 'vitest';
import { withoutDotSegments } from '@/lib/api/client';

test.each([
  ['http://a/api/v1/tokens/..', 'http://a/api/v1/tokens/~..'],
  [
    'http://a/api/v1/gateways/./revocation?reason=/../x',
    'http://a/api/v1/gateways/~./revocation?reason=/../x',
  ],
  ['http://a/api/v1/routes/a..', 'http://a/api/v1/routes/a..'],
  ['http://a/api/v1/routes/...', 'http://a/api/v1/routes/...'],
])('%s', (url, sent) => {
  expect(withoutDotSegments(url)).toBe(sent);
});
