import { describe, expect, it } from 'vitest';
import { addressOf, requestIn, requestOrPathIn } from '@/lib/request-in';

describe('requestIn', () => {
  it.each([
    ['https://shop.example.com/cart?x=1', { url: 'https://shop.example.com/cart?x=1' }],
    ['  http://shop.example.com:8080 ', { url: 'http://shop.example.com:8080' }],
    ['shop.example.com/cart/12', { url: '/cart/12', host: 'shop.example.com' }],
    ['shop.example.com:8443/', { url: '/', host: 'shop.example.com:8443' }],
    ['curl shop.example.com', { url: 'http://shop.example.com' }],
    ["curl -sS -X PUT 'http://a.example/b c'", { url: 'http://a.example/b c', method: 'PUT' }],
    [
      'curl "https://10.0.0.1/x" -H "Host: shop.example.com" -H \'Accept: a"b\' --compressed',
      { url: 'https://10.0.0.1/x', host: 'shop.example.com', headers: 'Accept: a"b' },
    ],
    [
      'curl -u me:secret -o out.txt \\\n  --data-raw \'{"a": 1}\' \\\n  --url http://a.example/',
      { url: 'http://a.example/', method: 'POST' },
    ],
    ['curl -sXPOST http://a.example/', { url: 'http://a.example/', method: 'POST' }],
    [
      "curl -d'a=1' -HAccept:x http://a.example/",
      { url: 'http://a.example/', method: 'POST', headers: 'Accept:x' },
    ],
    ['curl -G -d a=1 http://a.example/', { url: 'http://a.example/' }],
    ["curl -kH '-x: 1' http://a.example/", { url: 'http://a.example/', headers: '-x: 1' }],
    ['curl -I http://a.example/', { url: 'http://a.example/', method: 'HEAD' }],
    ['"https://shop.example.com/cart"', { url: 'https://shop.example.com/cart' }],
    ['https://shop.example.com/cart.', { url: 'https://shop.example.com/cart' }],
    ['"https://shop.example.com/cart",', { url: 'https://shop.example.com/cart' }],
    ['https://me:secret@shop.example.com/cart', { url: 'https://shop.example.com/cart' }],
    ['curl me:secret@shop.example.com/cart', { url: 'http://shop.example.com/cart' }],
    ['//shop.example.com/cart', { url: '/cart', host: 'shop.example.com' }],
    ['localhost:8080/cart', { url: '/cart', host: 'localhost:8080' }],
    ['[::1]:8080/cart', { url: '/cart', host: '[::1]:8080' }],
    ['wss://shop.example.com/live', { url: 'https://shop.example.com/live' }],
    ['$ curl http://a.example/', { url: 'http://a.example/' }],
    ['GET /cart/7?x=1 HTTP/1.1', { url: '/cart/7?x=1' }],
    ['DELETE shop.example.com/cart/7', { url: '/cart/7', host: 'shop.example.com', method: 'DELETE' }],
    ['POST https://shop.example.com/cart', { url: 'https://shop.example.com/cart', method: 'POST' }],
    [
      'POST /cart HTTP/1.1\r\nHost: shop.example.com\r\nAccept: */*',
      { url: '/cart', host: 'shop.example.com', method: 'POST' },
    ],
    [
      '203.0.113.9 - - [27/Nov/2026:10:00:00 +0000] "PUT /cart/7 HTTP/2.0" 404 19 "-" "curl/8.5"',
      { url: '/cart/7', method: 'PUT' },
    ],
    [
      '{"time":"2026-11-27T10:00:00Z","proxyServer":"web","method":"GET","host":"shop.example.com","path":"/cart/7","status":404}',
      { url: '/cart/7', host: 'shop.example.com', proxyServerId: 'web' },
    ],
  ])('finds the request in %s', (text, wish) => {
    expect(requestIn(text)).toEqual(wish);
  });

  it.each([
    '',
    'cart',
    '/cart/12',
    'curl',
    'curl --help',
    'plugin:cors',
    'node:http://10.0.0.1',
    'a b.example/c',
  ])('finds none in %s', (text) => {
    expect(requestIn(text)).toBeUndefined();
  });
});

it('finds a path, too', () => {
  expect(requestOrPathIn(' /cart/12?x=1 ')).toEqual({ url: '/cart/12?x=1' });
  expect(requestOrPathIn('//')).toBeUndefined();
  expect(requestOrPathIn('cart')).toBeUndefined();
});

describe('the address of a request', () => {
  it.each([
    [{ url: '/cart', host: 'shop.example.com' }, 'shop.example.com/cart'],
    [{ url: 'http://127.0.0.1:8080/cart', host: 'shop.example.com' }, 'http://shop.example.com/cart'],
    [{ url: 'http://a.example/' }, 'http://a.example/'],
  ])('of %j is %s', (wish, address) => {
    expect(addressOf(wish)).toBe(address);
  });
});
