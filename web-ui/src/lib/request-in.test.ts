import { describe, expect, it } from 'vitest';
import { addressOf, requestIn } from '@/lib/request-in';

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
  ])('finds the request in %s', (text, wish) => {
    expect(JSON.parse(JSON.stringify(requestIn(text)))).toEqual(wish);
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

describe('the address of a request', () => {
  it.each([
    [{ url: '/cart', host: 'shop.example.com' }, 'shop.example.com/cart'],
    [{ url: 'http://127.0.0.1:8080/cart', host: 'shop.example.com' }, 'http://shop.example.com/cart'],
    [{ url: 'http://a.example/' }, 'http://a.example/'],
  ])('of %j is %s', (wish, address) => {
    expect(addressOf(wish)).toBe(address);
  });
});
