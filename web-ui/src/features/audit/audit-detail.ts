import { placeOf } from '@/components/form/field-messages';
import { problemText } from '@/lib/api/problem-text';
import { listed, many, number, t } from '@/locales';
import { translateServer } from '@/locales/server';

const PLACES_SHOWN_MAX = 3;

/** How many records of refusals before this one are missing, the problem, and where it lies or why. */
const REFUSAL = /^(?:(\d+) refusals before are left out; )?([a-z]+(?:-[a-z]+)*)(?:: (.*))?$/s;

/** From the last part of a problem's type to its title. */
const titles: Readonly<Record<string, string>> = {
  internal: t('Internal error'),
  'bad-request': t('Malformed request'),
  unauthorized: t('Log in first'),
  forbidden: t('Not allowed'),
  'not-found': t('Not found'),
  'id-taken': t('Id is taken'),
  'needs-force': t('Additions would be lost'),
  referenced: t('Still referred to'),
  'precondition-failed': t('Changed meanwhile'),
  'too-large': t('Body too large'),
  invalid: t('Invalid values'),
  'operations-failed': t('Operations cannot be done'),
  'refused-by-gateway': t('Refused by a gateway'),
  'revision-refused': t('Gateways refuse the newest revision'),
  'too-many-requests': t('Too many tries'),
  'outcome-unknown': t('Outcome unknown'),
};

/** Returns the detail of a record in words for people; the text itself where there are none. */
export function auditDetail(detail: string): string {
  const [, missing, type = '', rest] = REFUSAL.exec(detail) ?? [];
  const title = Object.hasOwn(titles, type) ? titles[type] : undefined;
  if (title === undefined) {
    return translateServer(detail);
  }
  const said =
    rest === undefined
      ? title
      : t('{what}: {reason}', {
          what: title,
          reason: rest.startsWith('/')
            ? placesOf(rest.split(' '))
            : problemText({ type: `urn:sigma:problem:${type}`, title, status: 0, detail: rest }),
        });
  return missing === undefined
    ? said
    : t('{first} {second}', {
        first: many(
          Number(missing),
          '{count} refusal before this one has no record.',
          '{count} refusals before this one have no record.',
        ),
        second: said,
      });
}

function placesOf(pointers: readonly string[]): string {
  const more = pointers.length - PLACES_SHOWN_MAX;
  const names = listed(pointers.slice(0, PLACES_SHOWN_MAX).map(placeOf));
  return more > 0 ? t('{names} and {more} more', { names, more: number(more) }) : names;
}
