import { describe, expect, it } from 'vitest';
import { hostOf, isNear, nearestFirst, takes } from '@/features/route-test/nearest-hosts';

describe('hosts', () => {
  it('are taken by their name, or by a wildcard of their domain', () => {
    expect(takes('Shop.example.com', 'shop.EXAMPLE.com')).toBe(true);
    expect(takes('*.example.com', 'a.b.example.com')).toBe(true);
    expect(takes('*.example.com', 'example.com')).toBe(false);
    expect(takes('shop.example.com', 'shop.example.org')).toBe(false);
  });

  it('come the nearest first, and a slip of the finger is near', () => {
    const hosts = ['accounts.example.com', '*.media.example.com', 'shop.example.com'];
    expect(nearestFirst(hosts, 'shp.example.com')[0]).toBe('shop.example.com');
    expect(nearestFirst(hosts, 'media.exmple.com')[0]).toBe('*.media.example.com');
    expect(isNear('shop.example.com', 'shp.example.com')).toBe(true);
    expect(isNear('shop.example.com', 'example.com')).toBe(true);
    expect(isNear('shop.example.com', 'bank.example.org')).toBe(false);
  });

  it('are read from a request without their port', () => {
    expect(hostOf({ url: 'https://shop.example.com:8443/x' })).toBe('shop.example.com');
    expect(hostOf({ url: '/x', host: 'a.example:80' })).toBe('a.example');
    expect(hostOf({ url: '/x' })).toBeUndefined();
  });
});
