import type { ReactNode } from 'react';
import { contractFacts, type PropertyFacts, type SchemaName } from '#contract';
import type { AnyField } from '@/components/form/field-types';
import { RichText } from '@/components/rich-text';
import { number, t } from '@/locales';
import { translateContract } from '@/locales/contract';

const none: PropertyFacts = { required: false };

export function factsOf(schema: SchemaName, key: string): PropertyFacts {
  return contractFacts[schema].properties[key] ?? none;
}

/** What a schema is for, in the language of the page; empty where the contract says nothing. */
export function meaningOf(schema: SchemaName): string {
  return translateContract(contractFacts[schema].description ?? '');
}

/** The help text under a label: what the field means, and the range of a number. */
export function helpOf(
  field: AnyField,
  facts: PropertyFacts,
  say: (text: string) => string = (text) => text,
): ReactNode {
  if (field.help === '') {
    return undefined;
  }
  const meaning = field.help ?? translateContract(facts.description ?? '');
  const range =
    facts.minimum !== undefined && facts.maximum !== undefined && field.type === 'number'
      ? t('{minimum} to {maximum}.', { minimum: number(facts.minimum), maximum: number(facts.maximum) })
      : undefined;
  const text =
    range === undefined ? meaning : meaning === '' ? range : t('{meaning} {range}', { meaning, range });
  return text === '' ? undefined : <RichText text={say(text)} />;
}
