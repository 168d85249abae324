import { describe, expect, it } from 'vitest';
import { ipAccessAnswer } from '@/components/form/plugins/ip-access-answer';

const rules = {
  allow: ['10.0.0.0/8', '2001:db8::/32', '192.0.2.7', '198.51.100.128/25'],
  deny: ['10.0.0.13', '10.9.0.0/16', '2001:db8:bad::/48'],
};

describe('ipAccessAnswer', () => {
  it.each([
    ['10.1.2.3', true, 'allow', '10.0.0.0/8'],
    ['192.0.2.7', true, 'allow', '192.0.2.7'],
    ['192.0.2.8', false, 'allow', undefined],
    ['198.51.100.127', false, 'allow', undefined],
    ['198.51.100.128', true, 'allow', '198.51.100.128/25'],
    // Deny goes first.
    ['10.0.0.13', false, 'deny', '10.0.0.13'],
    ['10.9.255.1', false, 'deny', '10.9.0.0/16'],
    ['2001:db8::1', true, 'allow', '2001:db8::/32'],
    ['[2001:DB8:0:0::1]', true, 'allow', '2001:db8::/32'],
    ['2001:db8:bad::1', false, 'deny', '2001:db8:bad::/48'],
    ['2001:db9::1', false, 'allow', undefined],
    // The address of IPv4 in the form of IPv6 is the one of IPv4.
    ['::ffff:10.1.2.3', true, 'allow', '10.0.0.0/8'],
    ['::ffff:a00:d', false, 'deny', '10.0.0.13'],
  ] as const)('says for %s: %s by %s %s', (address, allowed, list, entry) => {
    expect(ipAccessAnswer(rules, address)).toEqual({ allowed, list, entry });
  });

  it('allows everybody else where nobody is named', () => {
    const only = { allow: [], deny: ['0.0.0.0/0'] };
    expect(ipAccessAnswer(only, '2001:db8::1')).toEqual({ allowed: true, list: 'deny', entry: undefined });
    expect(ipAccessAnswer(only, '203.0.113.9')).toEqual({ allowed: false, list: 'deny', entry: '0.0.0.0/0' });
  });

  it.each(['10.0.0.0/33', '10.0.0', '10.0.0.256', '010.0.0.1', '::/129', '10.0.0.0/', 'shop.test'])(
    'takes the malformed entry %s for none that contains an address',
    (entry) => {
      expect(ipAccessAnswer({ allow: [], deny: [entry] }, '10.0.0.1')?.allowed).toBe(true);
      expect(ipAccessAnswer({ allow: [], deny: [entry] }, '::1')?.allowed).toBe(true);
    },
  );

  it.each([
    '',
    '10.0.0',
    '10.0.0.256',
    '1.2.3.4.5',
    '01.2.3.4',
    'localhost',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    'g::1',
  ])('takes %j for no address', (address) => {
    expect(ipAccessAnswer(rules, address)).toBeUndefined();
  });
});
