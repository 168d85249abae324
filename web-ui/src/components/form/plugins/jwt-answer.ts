import { objectOf, tagsOf, textOf, type Draft } from '@/components/form/draft';
import { dateTime, listed, t } from '@/locales';

const TOKEN_LENGTH_MAX = 16_384;

/** A token, taken apart. */
export interface Token {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  /** What the signature is about. */
  readonly signed: string;
  readonly signature: Uint8Array<ArrayBuffer>;
}

/** Takes a compact token apart (RFC 7515, section 7.1); undefined when the text is none. */
export function tokenOf(text: string): Token | undefined {
  const compact = text.trim().replace(/^Bearer\s+/i, '');
  const [header, claims, signature, ...more] = compact.split('.');
  if (compact.length > TOKEN_LENGTH_MAX || !header || !claims || !signature || more.length > 0) {
    return undefined;
  }
  try {
    return {
      header: jsonIn(header),
      claims: jsonIn(claims),
      signed: `${header}.${claims}`,
      signature: bytesOf(signature),
    };
  } catch {
    return undefined;
  }
}

export interface ClaimsAnswer {
  /** Why a gateway refuses the token; nothing when its claims are right. */
  readonly refusals: readonly string[];
  /** The consumer that the token names. */
  readonly consumer: string | undefined;
}

/** Says what a gateway with this form says to the claims and the algorithm of a token, as JwtVerifier of the gateway does. */
export function claimsAnswer(draft: Draft, { header, claims }: Token, nowMillis: number): ClaimsAnswer {
  const now = nowMillis / 1000;
  const leeway = typeof draft.leewaySeconds === 'number' ? draft.leewaySeconds : 30;
  const issuer = textOf(draft.issuer);
  const audiences = tagsOf(draft.audiences);
  const claimName = textOf(draft.consumerClaim) || 'sub';
  const consumer = claims[claimName];
  const { exp, nbf, iss, aud } = claims;
  const meant = (Array.isArray(aud) ? (aud as readonly unknown[]) : [aud]).filter(
    (one) => typeof one === 'string',
  );
  const algorithms = algorithmsOf(draft);
  const refusals = [
    !algorithms.includes(String(header.alg)) &&
      t('The algorithm of the token is {found}. Accepted: {accepted}.', {
        found: said(header.alg),
        accepted: listed(algorithms),
      }),
    issuer !== '' &&
      iss !== issuer &&
      t('The issuer of the token (iss) is {found}. Required: {expected}.', {
        found: said(iss),
        expected: said(issuer),
      }),
    audiences.length > 0 &&
      !meant.some((one) => audiences.includes(one)) &&
      t('The audience of the token (aud) is {found}. Required: one of {expected}.', {
        found: said(aud),
        expected: listed(audiences),
      }),
    typeof exp === 'number'
      ? now >= exp + leeway && t('The token ended at {time} (exp).', { time: dateTime(exp * 1000) })
      : draft.requireExpiry !== false && t('The token has no end (exp).'),
    typeof nbf === 'number' &&
      now < nbf - leeway &&
      t('The token is not valid before {time} (nbf).', { time: dateTime(nbf * 1000) }),
    draft.requireConsumer === true &&
      typeof consumer !== 'string' &&
      t('The token names no consumer ({claim}), but a consumer is required.', { claim: claimName }),
  ].filter((one) => one !== false);
  return { refusals, consumer: typeof consumer === 'string' ? consumer : undefined };
}

/** Returns the algorithms that a gateway accepts; without any in the form, those that fit its keys. */
export function algorithmsOf(draft: Draft): readonly string[] {
  const chosen = tagsOf(draft.algorithms);
  if (chosen.length > 0) {
    return chosen;
  }
  return textOf(draft.jwksUrl) !== '' || textOf(draft.jwks) !== '' ? ['RS256', 'ES256'] : ['HS256'];
}

export type SignatureAnswer = 'right' | 'wrong' | 'unchecked';

const HASHES: Readonly<Record<string, string>> = { '256': 'SHA-256', '384': 'SHA-384', '512': 'SHA-512' };
const CURVES: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };
const KEYS_MAX = 64;

/** Checks the signature with the keys that the form has. Those behind a URL or in a file are not asked for. */
export async function signatureAnswer(draft: Draft, token: Token): Promise<SignatureAnswer> {
  const algorithm = String(token.header.alg);
  // Browsers have it only on pages over https, and on localhost.
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle;
  const secret = textOf(draft.secret);
  if (subtle === undefined) {
    return 'unchecked';
  }
  if (algorithm.startsWith('HS')) {
    if (secret === '' || secret === '[redacted]') {
      return 'unchecked';
    }
    return (await isRight(subtle, algorithm, new TextEncoder().encode(secret), token)) ? 'right' : 'wrong';
  }
  const keys = keysIn(draft).filter(
    ({ kid }) => token.header.kid === undefined || kid === undefined || kid === token.header.kid,
  );
  if (keys.length === 0) {
    return textOf(draft.jwks) === '' || textOf(draft.jwksUrl) !== '' ? 'unchecked' : 'wrong';
  }
  const answers = await Promise.all(keys.map((key) => isRight(subtle, algorithm, key, token)));
  return answers.includes(true) ? 'right' : textOf(draft.jwksUrl) === '' ? 'wrong' : 'unchecked';
}

type PublicKey = JsonWebKey & { readonly kid?: string };

function keysIn(draft: Draft): readonly PublicKey[] {
  const { keys } = (objectOf(draft.jwks) ?? {}) as { readonly keys?: unknown };
  return Array.isArray(keys) ? (keys as readonly PublicKey[]).slice(0, KEYS_MAX) : [];
}

async function isRight(
  subtle: SubtleCrypto,
  algorithm: string,
  key: PublicKey | Uint8Array<ArrayBuffer>,
  { signed, signature }: Token,
): Promise<boolean> {
  const hash = HASHES[algorithm.slice(2)];
  const how = { HS: 'HMAC', RS: 'RSASSA-PKCS1-v1_5', PS: 'RSA-PSS', ES: 'ECDSA' }[algorithm.slice(0, 2)];
  if (hash === undefined || how === undefined) {
    return false;
  }
  const parameters = {
    name: how,
    hash,
    ...(how === 'RSA-PSS' && { saltLength: Number(algorithm.slice(2)) / 8 }),
    ...(how === 'ECDSA' && { namedCurve: CURVES[algorithm] ?? '' }),
  };
  try {
    const usable = ArrayBuffer.isView(key)
      ? await subtle.importKey('raw', key, parameters, false, ['verify'])
      : await subtle.importKey('jwk', publicPartOf(key), parameters, false, ['verify']);
    return await subtle.verify(parameters, usable, signature, new TextEncoder().encode(signed));
  } catch {
    // A key that does not fit; another may.
    return false;
  }
}

function publicPartOf({ kty, n, e, crv, x, y }: JsonWebKey): JsonWebKey {
  return Object.fromEntries(
    Object.entries({ kty, n, e, crv, x, y }).filter(([, value]) => value !== undefined),
  );
}

function said(value: unknown): string {
  return value === undefined ? t('missing') : JSON.stringify(value);
}

function jsonIn(part: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytesOf(part)));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('This is not an object.');
  }
  return value as Readonly<Record<string, unknown>>;
}

/** Base64url without padding. */
function bytesOf(part: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
    letter.charCodeAt(0),
  );
}
