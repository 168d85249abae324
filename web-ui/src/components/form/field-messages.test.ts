import { describe, expect, it } from 'vitest';
import { FieldErrorCode, type FieldError } from '#client';
import { messageOf, placeOf } from '@/components/form/field-messages';
import type { AnyField } from '@/components/form/field-types';

const choice: AnyField = {
  type: 'choice',
  label: 'Balancing',
  options: [
    { value: 'HASH', label: 'By hash' },
    { value: 'RANDOM', label: 'At random' },
  ],
};

function said(
  error: Omit<FieldError, 'pointer' | 'detail'> & { detail?: string },
  label: string,
  field?: AnyField,
) {
  return messageOf({ pointer: '/x', detail: 'for programs', ...error }, { label, field });
}

describe('messageOf', () => {
  it.each<[string, Parameters<typeof said>]>([
    [
      'Port must be between 1 and 65,535.',
      [{ code: 'RANGE', values: { given: '70000', minimum: 1, maximum: 65535 } }, 'Port'],
    ],
    ['Weight must be at least 0.', [{ code: 'RANGE', values: { minimum: 0 } }, 'Weight']],
    [
      'Name must have 1 to 64 characters.',
      [{ code: 'LENGTH', values: { minimum: 1, maximum: 64, unit: 'CHARACTERS' } }, 'Name'],
    ],
    [
      'Nodes must have at least 1 entry.',
      [{ code: 'LENGTH', values: { minimum: 1, unit: 'ITEMS' } }, 'Nodes'],
    ],
    [
      'Balancing must be one of: By hash, At random.',
      [{ code: 'CHOICE', values: { given: 'X', allowed: ['HASH', 'RANDOM'] } }, 'Balancing', choice],
    ],
    [
      '“G T” does not have the form of Method.',
      [
        {
          code: 'PATTERN',
          values: {
            given: 'G T',
            pattern: '^[A-Z]+$',
            expected: 'a text of 1..32 characters that matches ^[A-Z]+$',
          },
        },
        'Method',
      ],
    ],
    [
      'Certificates is required. Expected: certificates, or Cert path and Key path, for HTTPS.',
      [
        { code: 'REQUIRED', values: { expected: 'certificates, or certPath and keyPath, for HTTPS' } },
        'Certificates',
      ],
    ],
    [
      '“abc” is not valid. Expected: a path that begins with /.',
      [{ code: 'INVALID', values: { given: 'abc', expected: 'a path that begins with /' } }, 'Path'],
    ],
    [
      'There is no proxy pass “nowhere”.',
      [{ code: 'UNKNOWN_REFERENCE', values: { given: 'nowhere', kind: 'PROXY_PASS' } }, 'Proxy pass'],
    ],
    [
      '“80” is already taken by proxy server “web”.',
      [{ code: 'CONFLICT', values: { given: '80', kind: 'PROXY_SERVER', id: 'web' } }, 'Port'],
    ],
    [
      'TLS cannot be set here. Possible: only with protocol HTTPS.',
      [{ code: 'NOT_APPLICABLE', values: { expected: 'only with protocol HTTPS' } }, 'TLS'],
    ],
    [
      'Gateway “edge” cannot use “/x”. Expected: a file.',
      [{ code: 'REFUSED_BY_GATEWAY', values: { gateway: 'edge', given: '/x', expected: 'a file' } }, 'Path'],
    ],
    [
      'Private key is not valid. Expected: a PEM private key that is not encrypted.',
      [{ code: 'INVALID', values: { expected: 'a PEM private key that is not encrypted' } }, 'Private key'],
    ],
  ])('says %j', (text, error) => {
    expect(said(...error)).toBe(text);
  });

  it('says the text of the control plane where it has no words, without what only programs read', () => {
    expect(said({ code: FieldErrorCode.Invalid, detail: 'more than 5 resources differ' }, 'Id')).toBe(
      'more than 5 resources differ',
    );
    const newer = 'OF_A_LATER_VERSION' as FieldErrorCode;
    expect(said({ code: newer, detail: '[redacted] (expected: a text that matches ^a$)' }, 'Key')).toBe(
      'This is not valid.',
    );
    expect(said({ code: newer, detail: '"b" (expected: a colour)' }, 'Key')).toBe(
      '"b": not valid. Expected: a colour.',
    );
  });

  it('tells in a sentence what was found', () => {
    const values = { given: 'every node drains', expected: 'one that does not' };
    const detail = 'every node drains (expected: one that does not)';
    expect(said({ code: 'INVALID', detail, values }, 'Drain')).toBe(
      'Every node drains. Expected: one that does not.',
    );
  });

  it('names an unknown field as it was written', () => {
    const error: FieldError = { pointer: '/pool/maxSize', detail: '', code: 'UNKNOWN_FIELD' };
    expect(messageOf(error, { label: 'Max size' })).toBe('There is no field “maxSize” here.');
  });

  it('shortens a long value', () => {
    const given = 'x'.repeat(500);
    expect(said({ code: 'INVALID', values: { given, expected: 'less' } }, 'Id')).toBe(
      `“${'x'.repeat(60)}…” is not valid. Expected: less.`,
    );
  });

  it.each(Object.values(FieldErrorCode))(
    'has words for %s without a pattern, a pointer or a redaction',
    (code) => {
      const text = said(
        {
          code,
          detail: '[redacted] (expected: a text that matches ^[a-z]+$)',
          values: { expected: 'a text that matches ^[a-z]+$', pattern: '^[a-z]+$' },
        },
        'Label',
      );
      expect(text).not.toMatch(/\^|\[redacted\]|\/x/);
      expect(text).toMatch(/\S/);
    },
  );
});

describe('placeOf', () => {
  it.each([
    ['', ''],
    ['/pool/queueMax', 'Pool › Queue max'],
    ['/routes/shop-api/path', 'Route shop-api › Path'],
    ['/proxyPasses/to-shop/split/0/weight', 'Proxy pass to-shop › Split › 1 › Weight'],
    ['/operations/0/body/path', 'Change 1 › Path'],
    ['/operations/2/ifMatch', 'Change 3 › If match'],
  ])('says %j as %j', (pointer, place) => {
    expect(placeOf(pointer)).toBe(place);
  });
});
