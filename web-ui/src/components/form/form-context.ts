import { createContext, use } from 'react';
import type { Draft, DraftValue, Path } from '@/components/form/draft';
import type { FieldErrors } from '@/components/form/field-errors';

export interface FormState {
  readonly draft: Draft;
  readonly errors: FieldErrors;
  readonly creating: boolean;
  readonly change: (path: Path, value: DraftValue) => void;
}

export const FormContext = createContext<FormState | undefined>(undefined);

export function useFormState(): FormState {
  const state = use(FormContext);
  if (state === undefined) {
    throw new Error('A field stands outside of a form.');
  }
  return state;
}
