import type { Problem } from '#client';
import { allKinds, kinds } from '@/lib/kinds';
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

/** What a restricted token may not change: kind and id, and its labels where it lacks one of them. */
const LIMITED =
  /^([A-Z_]+)\/(\S+) \(expected: (?:the labels of this token, \{(.*)\}, before and after|one of the kinds of this token, .*)\)$/;
const ROLE = /^role: [A-Z]+ of .* \(expected: [A-Z]+\)$/;

/** Returns why whoever asks may not do it. */
function refusalText(detail: string): string | undefined {
  if (ROLE.test(detail)) {
    return t('Your role is not allowed to do this.');
  }
  const [, contractKind, id, labels] = LIMITED.exec(detail) ?? [];
  const kind = allKinds.find((one) => kinds[one].contractKind === contractKind);
  if (kind === undefined) {
    return undefined;
  }
  const what = `${kinds[kind].singular} ${id ?? ''}`;
  return labels === undefined
    ? t('Nothing was changed. Your token cannot change {plural}.', { plural: kinds[kind].plural })
    : t(
        'Nothing was changed. Your token changes only resources with the labels {labels}. The {what} lacks one.',
        {
          labels,
          what,
        },
      );
}

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
  return known(type) ?? refusalText(text) ?? said;
}
