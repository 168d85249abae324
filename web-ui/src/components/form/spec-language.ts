import type { AnyField, Section } from '@/components/form/field-types';
import { translateContract } from '@/locales/contract';

interface Option {
  readonly value: string | number | boolean;
  readonly label: string;
}

/** Returns the field with its own texts in the language of the page; the fields in it are as they were. */
export function fieldInLanguage(field: AnyField): AnyField {
  const common = {
    label: translateContract(field.label),
    ...(field.help !== undefined && { help: translateContract(field.help) }),
  };
  switch (field.type) {
    case 'text':
      return {
        ...field,
        ...common,
        ...placeholderOf(field),
        ...(field.generated !== undefined && { generated: translateContract(field.generated) }),
      };
    case 'tags':
    case 'json':
      return { ...field, ...common, ...placeholderOf(field) };
    case 'choice':
      return {
        ...field,
        ...common,
        options: (field.options as readonly Option[]).map(inLanguage),
      } as AnyField;
    case 'pairs':
      return {
        ...field,
        ...common,
        keyLabel: translateContract(field.keyLabel),
        valueLabel: translateContract(field.valueLabel),
        row: translateContract(field.row),
      };
    case 'rows':
      return { ...field, ...common, row: translateContract(field.row) };
    default:
      return { ...field, ...common };
  }
}

/** Returns the section in the language of the page. */
export function sectionInLanguage(section: Section): Section {
  return {
    ...section,
    title: translateContract(section.title),
    hint: translateContract(section.hint),
    ...(section.alternatives !== undefined && { alternatives: section.alternatives.map(inLanguage) }),
  };
}

function inLanguage<Labelled extends { readonly label: string }>(labelled: Labelled): Labelled {
  return { ...labelled, label: translateContract(labelled.label) };
}

function placeholderOf({ placeholder }: { readonly placeholder?: string }) {
  return placeholder === undefined ? {} : { placeholder: translateContract(placeholder) };
}
