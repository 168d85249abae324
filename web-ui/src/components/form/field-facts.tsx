import type { ReactNode } from 'react';
import { contractFacts, type PropertyFacts, type SchemaName } from '#contract';
import type { AnyField } from '@/components/form/field-types';
import { RichText } from '@/components/rich-text';

const none: PropertyFacts = { required: false };

export function factsOf(schema: SchemaName, key: string): PropertyFacts {
  return contractFacts[schema].properties[key] ?? none;
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
  const meaning = field.help ?? facts.description;
  const range =
    facts.minimum !== undefined && facts.maximum !== undefined && field.type === 'number'
      ? `${facts.minimum.toLocaleString('en')} to ${facts.maximum.toLocaleString('en')}.`
      : undefined;
  const text = [meaning, range].filter((part) => part !== undefined && part !== '').join(' ');
  return text === '' ? undefined : <RichText text={say(text)} />;
}
