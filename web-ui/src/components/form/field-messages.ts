import { FieldErrorCode, FieldErrorUnit, type FieldError, type FieldErrorValues } from '#client';
import { labelOf } from '@/components/form/label-of';
import type { AnyField } from '@/components/form/field-types';
import { stepsOf } from '@/lib/json-pointer';
import { allKinds, capitalized, kindOf, kinds, listNameOf } from '@/lib/kinds';

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
  const told = values.given?.includes(' ') === true && !detail.startsWith('"') ? values.given : undefined;
  const given = values.given === undefined ? undefined : quoted(values.given);
  const expected = expectedOf(values, say);
  const because = expected === undefined ? '' : ` Expected: ${expected}.`;
  switch (code) {
    case FieldErrorCode.Required:
      return `${label} is required.${because}`;
    case FieldErrorCode.NotApplicable:
      return `${label} cannot be set here.${expected === undefined ? '' : ` Possible: ${expected}.`}`;
    case FieldErrorCode.UnknownField:
      // As it was written: the form has no label for it.
      return `There is no field ${quoted(stepsOf(pointer).at(-1) ?? label)} here.`;
    case FieldErrorCode.Type:
      return told === undefined
        ? `${given ?? 'This'} is not possible as ${label}.${because}`
        : `${capitalized(told)} is not possible as ${label}.${because}`;
    case FieldErrorCode.Choice:
      return values.allowed === undefined
        ? undefined
        : `${label} must be one of: ${values.allowed.map((value) => optionOf(field, value)).join(', ')}.`;
    case FieldErrorCode.Range:
      return bounds(values, `${label} must be`, ['between', 'and'], '');
    case FieldErrorCode.Length:
      return bounds(values, `${label} must have`, ['', 'to'], unitOf(values));
    case FieldErrorCode.Pattern:
      return `${given ?? 'This value'} does not have the form of ${label}.${because || exampleOf(field)}`;
    case FieldErrorCode.Invalid:
    case FieldErrorCode.NotPermitted: {
      const judged = code === FieldErrorCode.Invalid ? 'not valid' : 'not permitted';
      return expected === undefined
        ? undefined
        : told === undefined
          ? `${given ?? label} is ${judged}.${because}`
          : `${capitalized(told)}.${because}`;
    }
    case FieldErrorCode.Duplicate:
      return `${given ?? label} is there more than once.`;
    case FieldErrorCode.UnknownReference:
      return given === undefined || values.kind === undefined
        ? undefined
        : `There is no ${kinds[kindOf(values.kind)].singular} ${given}.`;
    case FieldErrorCode.Conflict:
      return values.kind === undefined || values.id === undefined
        ? undefined
        : `${given ?? label} is already taken by ${kinds[kindOf(values.kind)].singular} “${values.id}”.`;
    case FieldErrorCode.RefusedByGateway:
      return expected === undefined
        ? undefined
        : `Gateway “${values.gateway ?? ''}” cannot use ${given ?? label}.${because}`;
    default:
      return undefined;
  }
}

function expectedOf({ expected }: FieldErrorValues, say: (text: string) => string): string | undefined {
  return expected === undefined || TECHNICAL.test(expected) ? undefined : say(expected);
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

function exampleOf(field: AnyField | undefined): string {
  return field?.type === 'text' && field.placeholder !== undefined ? ` Example: ${field.placeholder}.` : '';
}

/** Returns a sentence about a number or a count: what has to be, within which limits, of what. */
function bounds(
  { minimum, maximum }: FieldErrorValues,
  what: string,
  [before, between]: readonly [string, string],
  unit: string,
): string | undefined {
  const least = minimum?.toLocaleString('en');
  const most = maximum?.toLocaleString('en');
  const range =
    least !== undefined && most !== undefined
      ? [before, least, between, most]
      : least !== undefined
        ? ['at least', least]
        : most !== undefined
          ? ['at most', most]
          : undefined;
  return range && `${[what, ...range, unit].filter((part) => part !== '').join(' ')}.`;
}

function unitOf({ unit, minimum, maximum = minimum }: FieldErrorValues): string {
  const one = maximum === 1;
  switch (unit) {
    case FieldErrorUnit.Items:
      return one ? 'entry' : 'entries';
    case FieldErrorUnit.Fields:
      return one ? 'field' : 'fields';
    default:
      return one ? 'character' : 'characters';
  }
}

/** A text that was made for programs, without what only they understand. */
function readable(detail: string): string {
  const [, given, expected] = /^(.*?) ?\(expected: (.*)\)$/s.exec(detail) ?? [];
  if (given === undefined || expected === undefined) {
    return detail.replaceAll('[redacted]', 'the secret');
  }
  const judged = given === '' || given.includes('[redacted]') ? 'This is not valid.' : `${given}: not valid.`;
  return TECHNICAL.test(expected) ? judged : `${judged} Expected: ${expected}.`;
}

const fields: Readonly<Record<string, string>> = Object.fromEntries(
  allKinds.map((kind) => [listNameOf(kind), kinds[kind].singular]),
);

/** Returns in words what a pointer leads to: `/routes/shop/path` to "Route shop, Path"; nothing for the whole. */
export function placeOf(pointer: string): string {
  const [first, second, ...rest] = stepsOf(pointer);
  if (first === undefined) {
    return '';
  }
  if (first === 'operations' && second !== undefined) {
    const inner = rest.filter((step, index) => index > 0 || step !== 'body');
    return joined([`Change ${Number(second) + 1}`, ...inner.map(stepOf)]);
  }
  const kind = fields[first];
  return kind !== undefined && second !== undefined
    ? joined([`${capitalized(kind)} ${second}`, ...rest.map(stepOf)])
    : joined(stepsOf(pointer).map(stepOf));
}

/** Numbers of lists begin with 1 for people. */
function stepOf(step: string): string {
  return /^\d+$/.test(step) ? `${Number(step) + 1}` : /^[a-z][A-Za-z0-9]*$/.test(step) ? labelOf(step) : step;
}

function joined(steps: readonly string[]): string {
  return steps.join(' › ');
}
