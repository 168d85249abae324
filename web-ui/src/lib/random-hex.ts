/** Returns so many random bytes in hexadecimal. By hand, as browsers have randomUUID only where the page came by TLS. */
export function randomHex(bytes: number): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
