/** Returns whether a router with this host takes requests for a host; both without ports. */
export function takes(pattern: string, host: string): boolean {
  const [own, asked] = [pattern.toLowerCase(), host.toLowerCase()];
  return own.startsWith('*.') ? asked.endsWith(own.slice(1)) && asked.length >= own.length : own === asked;
}

/** Returns the hosts, those that are spelled most like this one first. */
export function nearestFirst(hosts: readonly string[], host: string): readonly string[] {
  const far = new Map(hosts.map((one) => [one, distance(bare(one), bare(host))] as const));
  return [...far].toSorted(([, a], [, b]) => a - b).map(([one]) => one);
}

/** Whether a person may have meant it: a few letters are different, or it is a part of the other. */
export function isNear(one: string, host: string): boolean {
  const [a, b] = [bare(one), bare(host)];
  return (
    distance(a, b) <= Math.max(2, Math.floor(b.length / 5)) || a.endsWith(`.${b}`) || b.endsWith(`.${a}`)
  );
}

function bare(host: string): string {
  return host.toLowerCase().replace(/^\*\./, '');
}

/** How many letters have to be put in, taken out or changed. */
function distance(a: string, b: string): number {
  let before = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (before[j - 1] ?? 0) + (a.charAt(i - 1) === b.charAt(j - 1) ? 0 : 1);
      row.push(Math.min(changed, (before[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    before = row;
  }
  return before[b.length] ?? 0;
}

/** Returns the host that a request is for, without a port; undefined where its address has none. */
export function hostOf({
  host,
  url = '',
}: {
  readonly host?: string;
  readonly url?: string;
}): string | undefined {
  const named = host ?? /^https?:\/\/([^/?#]*)/i.exec(url)?.[1];
  return named === undefined || named === '' ? undefined : named.replace(/:\d+$/, '');
}

/** Returns a host that a pattern takes. */
export function exampleOf(pattern: string): string {
  return pattern.replace(/^\*\./, 'www.');
}
