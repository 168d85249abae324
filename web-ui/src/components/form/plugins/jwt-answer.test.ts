import { beforeEach, describe, expect, it, vi } from 'vitest';
import { algorithmsOf, claimsAnswer, signatureAnswer, tokenOf } from '@/components/form/plugins/jwt-answer';

const NOW = Date.parse('2026-01-02T03:04:05Z');
const SECONDS = NOW / 1000;
const right = { iss: 'https://login.test/', aud: ['shop', 'else'], sub: 'anna', exp: SECONDS + 60 };
const form = { issuer: 'https://login.test/', audiences: ['shop'], secret: 's'.repeat(32) };

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

function part(value: object): string {
  return base64url(new TextEncoder().encode(JSON.stringify(value)));
}

function token(claims: object, header: object = { alg: 'HS256' }, signature = 'c2lnbmVk') {
  return tokenOf(`${part(header)}.${part(claims)}.${signature}`) ?? expect.fail('This is a token.');
}

describe('a token', () => {
  it('is taken apart, with or without the word Bearer', () => {
    expect(token({ sub: 'ä' })).toMatchObject({ header: { alg: 'HS256' }, claims: { sub: 'ä' } });
    expect(tokenOf(` Bearer ${part({ alg: 'HS256' })}.${part({})}.c2ln `)).toBeDefined();
    expect(['', 'a.b', 'a.b.c', `${part({})}.${part({})}.`].map(tokenOf)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('names its consumer and is accepted when its claims are right', () => {
    expect(claimsAnswer(form, token(right), NOW)).toEqual({ refusals: [], consumer: 'anna' });
    expect(claimsAnswer({ ...form, consumerClaim: 'email' }, token({ ...right, email: 'a@b' }), NOW)).toEqual(
      {
        refusals: [],
        consumer: 'a@b',
      },
    );
  });

  it.each([
    [{ ...right, exp: SECONDS - 31 }, form, 'The token ended at'],
    [{ ...right, exp: undefined }, form, 'The token has no end (exp).'],
    [{ ...right, nbf: SECONDS + 31 }, form, 'The token is not valid before'],
    [
      { ...right, iss: 'other' },
      form,
      'The issuer of the token (iss) is "other". Required: "https://login.test/".',
    ],
    [{ ...right, aud: 'other' }, form, 'The audience of the token (aud) is "other". Required: one of shop.'],
    [{ ...right, sub: 1 }, { ...form, requireConsumer: true }, 'The token names no consumer (sub)'],
    [right, { ...form, algorithms: ['RS256'] }, 'The algorithm of the token is "HS256". Accepted: RS256.'],
  ])('with %j is refused', (claims, draft, why) => {
    expect(claimsAnswer(draft, token(claims), NOW).refusals).toEqual([expect.stringContaining(why)]);
  });

  it.each([
    [{ ...right, exp: SECONDS - 29 }, form],
    [
      { ...right, exp: undefined },
      { ...form, requireExpiry: false },
    ],
    [{ ...right, nbf: SECONDS + 29 }, form],
    [{ sub: 'x', exp: SECONDS + 1 }, { secret: 'x' }],
  ])('with %j is accepted', (claims, draft) => {
    expect(claimsAnswer(draft, token(claims), NOW).refusals).toEqual([]);
  });

  it('has the algorithms that fit the keys of the form', () => {
    expect(algorithmsOf({ secret: 'x' })).toEqual(['HS256']);
    expect(algorithmsOf({ jwksUrl: 'https://x' })).toEqual(['RS256', 'ES256']);
    expect(algorithmsOf({ jwksUrl: 'https://x', algorithms: ['PS512'] })).toEqual(['PS512']);
  });
});

describe('a signature', () => {
  let subtle: SubtleCrypto;
  beforeEach(async () => {
    // The browser of these tests has none.
    const { webcrypto } = await vi.importActual<{ webcrypto: Crypto }>('node:crypto');
    vi.stubGlobal('crypto', webcrypto);
    subtle = webcrypto.subtle;
    return () => vi.unstubAllGlobals();
  });

  async function signed(header: object, key: CryptoKey, parameters: Parameters<SubtleCrypto['sign']>[0]) {
    const text = `${part(header)}.${part(right)}`;
    const bytes = new Uint8Array(await subtle.sign(parameters, key, new TextEncoder().encode(text)));
    return token(right, header, base64url(bytes));
  }

  it('is checked with the secret of the form', async () => {
    const how = { name: 'HMAC', hash: 'SHA-256' };
    const key = await subtle.importKey('raw', new TextEncoder().encode(form.secret), how, false, ['sign']);
    const made = await signed({ alg: 'HS256' }, key, how);
    expect(await signatureAnswer(form, made)).toBe('right');
    expect(await signatureAnswer({ ...form, secret: 'another'.repeat(8) }, made)).toBe('wrong');
    expect(await signatureAnswer({ ...form, secret: undefined }, made)).toBe('unchecked');
  });

  it.each([
    ['RS256', { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }],
    ['PS384', { name: 'RSA-PSS', hash: 'SHA-384', saltLength: 48 }],
    ['ES256', { name: 'ECDSA', hash: 'SHA-256', namedCurve: 'P-256' }],
  ])('of %s is checked with the key set of the form', async (alg, how) => {
    const rsa = { modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) };
    const pair = await subtle.generateKey({ ...rsa, ...how } as never, true, ['sign', 'verify']);
    const jwk = await subtle.exportKey('jwk', pair.publicKey);
    const made = await signed({ alg, kid: 'one' }, pair.privateKey, how);
    const keys = (kid: string) => ({ jwks: JSON.stringify({ keys: [{ ...jwk, kid, use: 'sig' }] }) });
    expect(await signatureAnswer(keys('one'), made)).toBe('right');
    expect(await signatureAnswer(keys('two'), made)).toBe('wrong');
    expect(await signatureAnswer(keys('one'), { ...made, signed: `${made.signed}x` })).toBe('wrong');
    expect(await signatureAnswer({ jwksUrl: 'https://login.test/keys' }, made)).toBe('unchecked');
  });
});
