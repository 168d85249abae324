/** What an IP access plugin says, as the form holds it. */
export interface IpAccessRules {
  readonly allow: readonly string[];
  readonly deny: readonly string[];
}

export interface IpAccessAnswer {
  readonly allowed: boolean;
  /** The list that decides. */
  readonly list: 'allow' | 'deny';
  /** The first entry of the list that contains the address; undefined where none does. */
  readonly entry: string | undefined;
}

/** Returns what a gateway does with a client of this address by these rules; undefined where it is no IP address. */
export function ipAccessAnswer({ allow, deny }: IpAccessRules, address: string): IpAccessAnswer | undefined {
  const octets = octetsOf(address.trim());
  if (octets === undefined) {
    return undefined;
  }
  const containing = (entries: readonly string[]) => entries.find((entry) => contains(entry, octets));
  const denied = containing(deny);
  if (denied !== undefined) {
    return { allowed: false, list: 'deny', entry: denied };
  }
  const permitted = containing(allow);
  return permitted === undefined && allow.length === 0
    ? { allowed: true, list: 'deny', entry: undefined }
    : { allowed: permitted !== undefined, list: 'allow', entry: permitted };
}

/** Whether an address or CIDR block contains an address; one that is malformed contains none. */
function contains(entry: string, address: readonly number[]): boolean {
  const [base, length] = split(entry, '/');
  const network = octetsOf(base);
  // An IPv4 address never lies in an IPv6 block.
  if (network?.length !== address.length) {
    return false;
  }
  const bits = length === undefined ? network.length * 8 : /^\d{1,3}$/.test(length) ? Number(length) : NaN;
  if (!(bits <= network.length * 8)) {
    return false;
  }
  return network.every((octet, at) => {
    const kept = Math.min(Math.max(bits - at * 8, 0), 8);
    return octet >> (8 - kept) === (address[at] ?? 0) >> (8 - kept);
  });
}

/** Returns the 4 or 16 octets of an IP literal, IPv6 with or without brackets; undefined where it is none. */
function octetsOf(literal: string): readonly number[] | undefined {
  const bare = /^\[.*\]$/.test(literal) ? literal.slice(1, -1) : literal;
  return ipv4(bare) ?? ipv6(bare);
}

function ipv4(text: string): readonly number[] | undefined {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)
    ? parts.map(Number)
    : undefined;
}

function ipv6(text: string): readonly number[] | undefined {
  const [head = '', tail, ...more] = text.split('::');
  const before = groups(head, tail === undefined);
  const after = tail === undefined ? [] : groups(tail, true);
  if (before === undefined || after === undefined || more.length > 0) {
    return undefined;
  }
  const missing = 16 - before.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 2) {
    return undefined;
  }
  const octets = [...before, ...Array<number>(missing).fill(0), ...after];
  // An address of IPv4 in the form of IPv6 (RFC 4291 §2.5.5.2) is the one of IPv4.
  const mapped =
    octets.slice(0, 10).every((octet) => octet === 0) && octets[10] === 255 && octets[11] === 255;
  return mapped ? octets.slice(12) : octets;
}

/** Returns the octets of groups with colons between them, the last two perhaps as an IPv4 address. */
function groups(text: string, last: boolean): readonly number[] | undefined {
  const octets: number[] = [];
  const parts = text === '' ? [] : text.split(':');
  for (const [at, part] of parts.entries()) {
    const four = last && at === parts.length - 1 ? ipv4(part) : undefined;
    if (four !== undefined) {
      octets.push(...four);
    } else if (/^[0-9a-f]{1,4}$/i.test(part)) {
      const value = parseInt(part, 16);
      octets.push(value >> 8, value & 255);
    } else {
      return undefined;
    }
  }
  return octets;
}

function split(text: string, mark: string): readonly [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
