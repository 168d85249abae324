import type { Problem } from '#client';
import { number, t } from '@/locales';
import { translateServer } from '@/locales/server';

/** What to say to people where the text of the problem speaks of the document that programs get. */
function known(type: string): string | undefined {
  switch (type) {
    case 'urn:sigma:problem:invalid':
      return t('Some values are not valid.');
    case 'urn:sigma:problem:operations-failed':
      return t('Nothing was changed, because a part of the change cannot be made.');
    case 'urn:sigma:problem:refused-by-gateway':
      return t('Nothing was changed, because a gateway cannot use it.');
    default:
      return undefined;
  }
}

const WAIVER = /^(.*) If only the gateway is at fault, PUT \S+ lets writes succeed\.$/s;
const TOO_LARGE = /^\(expected: at most (\d+) bytes\)$/;

/** Returns a problem in words for people. */
export function problemText({ type, title, detail }: Problem): string {
  const bytes = TOO_LARGE.exec(detail ?? '')?.[1];
  if (bytes !== undefined) {
    return t('At most {count} bytes can be sent.', { count: number(Number(bytes)) });
  }
  const text = detail ?? title;
  const [, cause] = WAIVER.exec(text) ?? [];
  const said =
    cause === undefined
      ? translateServer(text)
      : t('{first} {second}', {
          first: translateServer(cause),
          second: t('If only the gateway is at fault, the page Gateways can let writes succeed without it.'),
        });
  return known(type) ?? said;
}
