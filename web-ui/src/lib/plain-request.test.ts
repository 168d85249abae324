import { expect, it } from 'vitest';
import { plainRequest } from '@/lib/plain-request';

it.each([
  ['http://b\u00fccher.example:8080/caf\u00e9 1', 'http://xn--bcher-kva.example:8080/caf%C3%A9%201'],
  ['https://me:secret@shop.example.com/x?a=\u00e4#part', 'https://shop.example.com/x?a=%C3%A4'],
  ['/caf%C3%A9/%2F', '/caf%C3%A9/%2F'],
  ['HTTP://SHOP.example.com/A', 'HTTP://SHOP.example.com/A'],
  ['tcp://h\u00f6st:1', 'tcp://h\u00f6st:1'],
])('sends %s as %s', (url, sent) => {
  expect(plainRequest({ url })).toEqual({ url: sent });
});

it('sends a host in another script by its Punycode', () => {
  expect(plainRequest({ url: '/', host: 'b\u00fccher.example:81' }).host).toBe('xn--bcher-kva.example:81');
});
