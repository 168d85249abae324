import type { FieldError } from '#client';
import { labelOf } from '@/components/form/label-of';
import { messageOf, placeOf } from '@/components/form/field-messages';
import { stepsOf } from '@/lib/json-pointer';
import { t } from '@/locales';

/** One error that stands beside no field: where it is, and what it is. */
export function FieldErrorText({ error }: { error: FieldError }) {
  const place = placeOf(error.pointer);
  const last = stepsOf(error.pointer).findLast((step) => !/^\d+$/.test(step));
  return (
    <>
      {place !== '' && <b>{t('{place}:', { place })} </b>}
      {messageOf(error, { label: last === undefined ? t('This') : labelOf(last) })}
    </>
  );
}
