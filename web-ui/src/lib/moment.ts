/** Returns the time that part of an address names, undefined when it names none. */
export function momentOf(value: unknown): string | undefined {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value))
    ? new Date(value).toISOString()
    : undefined;
}
