import { t } from '@/locales';

/** The plugins as people look for them. One that is in no group stands with the others. */
const groups: Readonly<Record<string, readonly string[]>> = {
  [t('Access')]: ['keyAuth', 'basicAuth', 'jwt', 'acl', 'ipAccess', 'cors'],
  [t('Limits')]: ['rateLimit', 'concurrencyLimit'],
  [t('Requests and responses')]: [
    'headers',
    'rewritePath',
    'requestId',
    'httpsRedirect',
    'staticResources',
    'mockResponse',
  ],
  [t('Browsers')]: ['csp', 'hsts', 'xFrame'],
  [t('Compression')]: ['brotli', 'gzip', 'zstd'],
  [t('Observation')]: ['accessLog', 'tracing', 'responseTime'],
};
const OTHERS = t('Others');

/** Returns these plugins in their groups, without groups that have none. */
export function inGroups(names: readonly string[]): readonly (readonly [string, readonly string[]])[] {
  const grouped = new Set(Object.values(groups).flat());
  return [...Object.entries(groups), [OTHERS, names.filter((name) => !grouped.has(name))] as const]
    .map(([title, members]) => [title, members.filter((name) => names.includes(name))] as const)
    .filter(([, members]) => members.length > 0);
}
