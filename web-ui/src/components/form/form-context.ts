import { createContext, use } from 'react';
import type { Draft, DraftValue, Path } from '@/components/form/draft';
import type { FieldErrors } from '@/components/form/field-errors';
import { inLabels, type FieldLabels } from '@/components/form/field-labels';
import type { SchemaName } from '#contract';

export interface FormState {
  readonly draft: Draft;
  readonly errors: FieldErrors;
  readonly creating: boolean;
  /** Whoever looks at it may not change it. */
  readonly readOnly: boolean;
  readonly labels: FieldLabels;
  readonly change: (path: Path, value: DraftValue) => void;
}

export const FormContext = createContext<FormState | undefined>(undefined);

export function useFormState(): FormState {
  const state = use(FormContext);
  if (state === undefined) {
    throw new Error('A field is outside of a form.');
  }
  return state;
}

/** Returns how to say a text of the contract about this schema in the words of the form. */
export function useLabels(schema: SchemaName): (text: string) => string {
  const { labels } = useFormState();
  return (text) => inLabels(text, schema, labels);
}
