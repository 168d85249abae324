import { translateContract } from '@/locales/contract';

/** Returns `Idle timeout` for `idleTimeoutMillis`: the unit stands in the field. In the language of the page. */
export function labelOf(key: string): string {
  const words = key
    .replace(/(Millis|Seconds)$/, '')
    .replace(/Bytes(?=Max$|$)/, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase();
  const named = words.replaceAll(/[a-z0-9]+/g, (word) => (acronyms.has(word) ? word.toUpperCase() : word));
  if (named === 'millis') {
    return translateContract('Time');
  }
  return translateContract(named.charAt(0).toUpperCase() + named.slice(1));
}

/** Words that people know as letters. */
const acronyms = new Set(['acl', 'ca', 'csp', 'dns', 'ip', 'jwks', 'jwt', 'tls', 'url']);
