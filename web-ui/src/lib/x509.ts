import { t } from '@/locales';
/** What a certificate says of itself; read here, as a browser offers no reader of certificates. */
export interface CertificateFacts {
  /** The DNS names and addresses, or the common name of an old certificate without them. */
  readonly names: readonly string[];
  readonly issuer: string;
  readonly from: Date;
  readonly to: Date;
  /** Whether it was issued by this subject, byte by byte. */
  readonly issuerBytes: string;
  readonly subjectBytes: string;
  /** What a private key has in common with it. */
  readonly publicKey: string;
}

export interface PemBlock {
  readonly label: string;
  readonly text: string;
  readonly bytes: Uint8Array;
}

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OID_COMMON_NAME = '550403';
const OID_ORGANIZATION = '55040a';
const OID_ALTERNATIVE_NAMES = '551d11';
const TAG_DNS = 0x82;
const TAG_ADDRESS = 0x87;
const UTC_TIME = 0x17;

interface Der {
  readonly tag: number;
  readonly body: Uint8Array;
  /** With tag and length. */
  readonly whole: Uint8Array;
}

/** Returns the blocks of a text, in their order. */
export function pemBlocks(text: string): readonly PemBlock[] {
  const blocks: PemBlock[] = [];
  for (const match of text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\s]*)-----END \1-----/g)) {
    const [block, label = '', base64 = ''] = match;
    try {
      const bytes = Uint8Array.from(atob(base64.replaceAll(/\s/g, '')), (char) => char.charCodeAt(0));
      blocks.push({ label, text: `${block}\n`, bytes });
    } catch {
      // No base64: as if it were not there.
    }
  }
  return blocks;
}

/** Returns what a certificate says; undefined when it cannot be read. */
export function certificateFacts(bytes: Uint8Array): CertificateFacts | undefined {
  try {
    const [tbs] = children(first(bytes).body);
    const parts = children(at(tbs).body);
    // The version is optional.
    const skip = at(parts[0]).tag === 0xa0 ? 1 : 0;
    const issuer = at(parts[skip + 2]);
    const validity = children(at(parts[skip + 3]).body);
    const subject = at(parts[skip + 4]);
    const names = alternativeNames(parts.find(({ tag }) => tag === 0xa3));
    const common = nameOf(subject, OID_COMMON_NAME);
    return {
      names: names.length > 0 ? names : common === undefined ? [] : [common],
      issuer: nameOf(issuer, OID_COMMON_NAME) ?? nameOf(issuer, OID_ORGANIZATION) ?? t('unknown'),
      from: timeOf(at(validity[0])),
      to: timeOf(at(validity[1])),
      issuerBytes: hex(issuer.whole),
      subjectBytes: hex(subject.whole),
      publicKey: publicKeyOf(at(parts[skip + 5])),
    };
  } catch {
    return undefined;
  }
}

/** Returns what a private key has in common with its certificate; undefined when it does not say. */
export function publicKeyOfPrivate({ label, bytes }: PemBlock): string | undefined {
  try {
    const parts = children(first(bytes).body);
    if (label === 'PRIVATE KEY') {
      const inner = first(at(parts.find(({ tag }) => tag === OCTET_STRING)).body);
      return ofKey(children(inner.body));
    }
    return ofKey(parts);
  } catch {
    return undefined;
  }
}

/** An RSA key begins with version and modulus; a key on a curve may have its point. */
function ofKey(parts: readonly Der[]): string | undefined {
  const [, second] = parts;
  if (second?.tag === INTEGER) {
    return hex(second.body);
  }
  const point = parts.find(({ tag }) => tag === 0xa1);
  return point === undefined ? undefined : hex(first(point.body).body);
}

/** The modulus of an RSA key, or the point of another. */
function publicKeyOf(info: Der): string {
  const bits = at(children(info.body).find(({ tag }) => tag === BIT_STRING)).body;
  const content = bits.subarray(1);
  if (content[0] === SEQUENCE) {
    return hex(at(children(first(content).body)[0]).body);
  }
  return hex(bits);
}

function alternativeNames(extensions: Der | undefined): readonly string[] {
  if (extensions === undefined) {
    return [];
  }
  for (const extension of children(first(extensions.body).body)) {
    const parts = children(extension.body);
    if (hex(at(parts[0]).body) === OID_ALTERNATIVE_NAMES) {
      return children(first(at(parts.at(-1)).body).body).flatMap(({ tag, body }) =>
        tag === TAG_DNS ? [text(body)] : tag === TAG_ADDRESS ? [addressOf(body)] : [],
      );
    }
  }
  return [];
}

function addressOf(bytes: Uint8Array): string {
  return bytes.length === 4
    ? bytes.join('.')
    : Array.from({ length: bytes.length / 2 }, (_, group) =>
        (((bytes[2 * group] ?? 0) << 8) | (bytes[2 * group + 1] ?? 0)).toString(16),
      ).join(':');
}

function nameOf(name: Der, oid: string): string | undefined {
  for (const set of children(name.body)) {
    for (const attribute of children(set.body)) {
      const [type, value] = children(attribute.body);
      if (type !== undefined && value !== undefined && hex(type.body) === oid) {
        return text(value.body);
      }
    }
  }
  return undefined;
}

/** Two digits of the year until 2049 (RFC 5280 §4.1.2.5), four later. */
function timeOf({ tag, body }: Der): Date {
  const digits = text(body);
  const year = tag === UTC_TIME ? `${Number(digits.slice(0, 2)) < 50 ? '20' : '19'}${digits}` : digits;
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(year) ?? [];
  return new Date(Date.UTC(Number(y), Number(mo) - 1, Number(d), Number(h), Number(mi), Number(s)));
}

function first(bytes: Uint8Array): Der {
  return at(children(bytes)[0]);
}

function children(bytes: Uint8Array): readonly Der[] {
  const found: Der[] = [];
  let from = 0;
  while (from < bytes.length) {
    const tag = bytes[from] ?? 0;
    let start = from + 2;
    let length = bytes[from + 1] ?? 0;
    if (length > 0x80) {
      const digits = length & 0x7f;
      length = 0;
      for (let digit = 0; digit < digits; digit++) {
        length = length * 256 + (bytes[start + digit] ?? 0);
      }
      start += digits;
    }
    const end = start + length;
    if (end > bytes.length) {
      throw new RangeError(`length: ${length} (expected: at most ${bytes.length - start})`);
    }
    found.push({ tag, body: bytes.subarray(start, end), whole: bytes.subarray(from, end) });
    from = end;
  }
  return found;
}

function at(part: Der | undefined): Der {
  if (part === undefined) {
    throw new RangeError('a part is missing');
  }
  return part;
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
