import { FieldErrorCode, FieldErrorUnit, type FieldError, type FieldErrorValues } from '#client';
import { labelOf } from '@/components/form/label-of';
import type { AnyField } from '@/components/form/field-types';
import { stepsOf } from '@/lib/json-pointer';
import { allKinds, capitalized, kindOf, kinds, listNameOf } from '@/lib/kinds';
import { many, number, t } from '@/locales';
import { translateServer } from '@/locales/server';

const GIVEN_LENGTH_MAX = 60;

/** A regular expression, or what only JSON has: nothing that people look for in a form. */
const TECHNICAL = /that matches |[\^$]|\\|^(a|an) (text|object|list)\b|^another value$/;

export interface Labelled {
  readonly label: string;
  readonly field?: AnyField | undefined;
  /** Says a text in the words of the form. */
  readonly say?: (text: string) => string;
}

/** Returns what is wrong with a field, in words for people; the text of the control plane where there are none. */
export function messageOf(error: FieldError, { label, field, say = sayFields }: Labelled): string {
  return worded(error, label, field, say) ?? readable(error.detail);
}

function worded(
  { pointer, detail, code, values = {} }: FieldError,
  label: string,
  field: AnyField | undefined,
  say: (text: string) => string,
): string | undefined {
  // What was found may be told in words, such as "every node drains"; a text that was given has quotes around it.
  const told =
    values.given?.includes(' ') === true && !detail.startsWith('"')
      ? translateServer(values.given)
      : undefined;
  const given = values.given === undefined ? undefined : quoted(values.given);
  const expected = expectedOf(values, say);
  const because = expected === undefined ? undefined : t('Expected: {expected}.', { expected });
  switch (code) {
    case FieldErrorCode.Required:
      return sentences(t('{label} is required.', { label }), because);
    case FieldErrorCode.NotApplicable:
      return sentences(
        t('{label} cannot be set here.', { label }),
        expected === undefined ? undefined : t('Possible: {expected}.', { expected }),
      );
    case FieldErrorCode.UnknownField:
      // As it was written: the form has no label for it.
      return t('There is no field {name} here.', { name: quoted(stepsOf(pointer).at(-1) ?? label) });
    case FieldErrorCode.Type:
      return sentences(
        t('{value} is not possible as {label}.', {
          value: told === undefined ? (given ?? t('This')) : capitalized(told),
          label,
        }),
        because,
      );
    case FieldErrorCode.Choice:
      return values.allowed === undefined
        ? undefined
        : t('{label} must be one of: {values}.', {
            label,
            values: values.allowed.map((value) => optionOf(field, value)).join(', '),
          });
    case FieldErrorCode.Range:
      return rangeOf(values, label);
    case FieldErrorCode.Length:
      return lengthOf(values, label);
    case FieldErrorCode.Pattern:
      return sentences(
        t('{value} does not have the form of {label}.', { value: given ?? t('This value'), label }),
        because ?? exampleOf(field),
      );
    case FieldErrorCode.Invalid:
    case FieldErrorCode.NotPermitted: {
      const value = given ?? label;
      const judged =
        told !== undefined
          ? t('{fact}.', { fact: capitalized(told) })
          : code === FieldErrorCode.Invalid
            ? t('{value} is not valid.', { value })
            : t('{value} is not permitted.', { value });
      return expected === undefined ? undefined : sentences(judged, because);
    }
    case FieldErrorCode.Duplicate:
      return t('{value} occurs more than once.', { value: given ?? label });
    case FieldErrorCode.UnknownReference:
      return given === undefined || values.kind === undefined
        ? undefined
        : t('There is no {kind} {name}.', { kind: kinds[kindOf(values.kind)].singular, name: given });
    case FieldErrorCode.Conflict:
      return values.kind === undefined || values.id === undefined
        ? undefined
        : t('{value} is already taken by {kind} “{id}”.', {
            value: given ?? label,
            kind: kinds[kindOf(values.kind)].singular,
            id: values.id,
          });
    case FieldErrorCode.RefusedByGateway:
      return expected === undefined
        ? undefined
        : sentences(
            t('Gateway “{gateway}” cannot use {value}.', {
              gateway: values.gateway ?? '',
              value: given ?? label,
            }),
            because,
          );
    default:
      return undefined;
  }
}

function expectedOf({ expected }: FieldErrorValues, say: (text: string) => string): string | undefined {
  return expected === undefined || TECHNICAL.test(expected) ? undefined : say(translateServer(expected));
}

/** Returns these sentences, one after the other. */
function sentences(first: string, second: string | undefined): string {
  return second === undefined ? first : t('{first} {second}', { first, second });
}

/** Names of fields in a text become labels. */
function sayFields(text: string): string {
  return text.replaceAll(/\b[a-z]+(?:[A-Z][a-z0-9]*)+\b/g, (name) => labelOf(name));
}

function quoted(given: string): string {
  const short = given.length > GIVEN_LENGTH_MAX ? `${given.slice(0, GIVEN_LENGTH_MAX)}…` : given;
  return `“${short}”`;
}

function optionOf(field: AnyField | undefined, value: string): string {
  const options: readonly { value: unknown; label: string }[] = field?.type === 'choice' ? field.options : [];
  return options.find((option) => String(option.value) === value)?.label ?? value;
}

function exampleOf(field: AnyField | undefined): string | undefined {
  return field?.type === 'text' && field.placeholder !== undefined
    ? t('Example: {example}.', { example: field.placeholder })
    : undefined;
}

/** Returns within which limits a number has to be. */
function rangeOf({ minimum, maximum }: FieldErrorValues, label: string): string | undefined {
  if (minimum !== undefined && maximum !== undefined) {
    return t('{label} must be between {least} and {most}.', {
      label,
      least: number(minimum),
      most: number(maximum),
    });
  }
  return minimum !== undefined
    ? t('{label} must be at least {least}.', { label, least: number(minimum) })
    : maximum !== undefined
      ? t('{label} must be at most {most}.', { label, most: number(maximum) })
      : undefined;
}

/** Returns how many characters, entries or fields a value has to have. */
function lengthOf({ minimum, maximum, unit }: FieldErrorValues, label: string): string | undefined {
  if (minimum !== undefined && maximum !== undefined) {
    return t('{label} must have {least} to {most}.', {
      label,
      least: number(minimum),
      most: countOf(maximum, unit),
    });
  }
  return minimum !== undefined
    ? t('{label} must have at least {least}.', { label, least: countOf(minimum, unit) })
    : maximum !== undefined
      ? t('{label} must have at most {most}.', { label, most: countOf(maximum, unit) })
      : undefined;
}

function countOf(count: number, unit: FieldErrorUnit | undefined): string {
  switch (unit) {
    case FieldErrorUnit.Items:
      return many(count, '{count} entry', '{count} entries');
    case FieldErrorUnit.Fields:
      return many(count, '{count} field', '{count} fields');
    default:
      return many(count, '{count} character', '{count} characters');
  }
}

/** A text that was made for programs, without what only they understand. */
function readable(detail: string): string {
  const [, given, expected] = /^(.*?) ?\(expected: (.*)\)$/s.exec(detail) ?? [];
  if (given === undefined || expected === undefined) {
    return translateServer(detail).replaceAll('[redacted]', t('the secret'));
  }
  const judged =
    given === '' || given.includes('[redacted]')
      ? t('This is not valid.')
      : t('{value}: not valid.', { value: translateServer(given) });
  return TECHNICAL.test(expected)
    ? judged
    : sentences(judged, t('Expected: {expected}.', { expected: translateServer(expected) }));
}

/** Returns in words what a pointer leads to: `/routes/shop/path` to "Route shop, Path"; nothing for the whole. */
export function placeOf(pointer: string): string {
  const [first, second, ...rest] = stepsOf(pointer);
  if (first === undefined) {
    return '';
  }
  if (first === 'operations' && second !== undefined) {
    const inner = rest.filter((step, index) => index > 0 || step !== 'body');
    return joined([t('Change {number}', { number: Number(second) + 1 }), ...inner.map(stepOf)]);
  }
  const kind = allKinds.find((one) => listNameOf(one) === first);
  return kind !== undefined && second !== undefined
    ? joined([`${capitalized(kinds[kind].singular)} ${second}`, ...rest.map(stepOf)])
    : joined(stepsOf(pointer).map(stepOf));
}

/** Numbers of lists begin with 1 for people. */
function stepOf(step: string): string {
  return /^\d+$/.test(step) ? `${Number(step) + 1}` : /^[a-z][A-Za-z0-9]*$/.test(step) ? labelOf(step) : step;
}

function joined(steps: readonly string[]): string {
  return steps.join(' › ');
}
