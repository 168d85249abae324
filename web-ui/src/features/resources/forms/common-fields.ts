import type { PairsField, Section, SwitchField, TextField } from '@/components/form/field-types';

export const idField: TextField = {
  type: 'text',
  label: 'Id',
  mono: true,
  fixedAfterCreate: true,
  placeholder: 'chosen for you',
  help: 'Letters, digits, dots, hyphens and underscores. It cannot be changed later.',
};

export const nameField: TextField = {
  type: 'text',
  label: 'Name',
  help: 'Shown next to the id in lists.',
};

export const descriptionField: TextField = {
  type: 'text',
  label: 'Description',
  multiline: true,
  wide: true,
  help: 'Notes for other users.',
};

export const labelsField: PairsField = {
  type: 'pairs',
  label: 'Labels',
  keyLabel: 'Label',
  valueLabel: 'Value',
  row: 'label',
};

export const enabledField: SwitchField = {
  type: 'switch',
  label: 'Enabled',
  help: 'If switched off, Sigma keeps it and gateways ignore it.',
  wide: true,
};

export const notesSection = {
  title: 'Notes',
  hint: 'Description and labels, for people',
  fields: ['description', 'labels'],
  collapsed: true,
} as const satisfies Section;

export const pluginsSection = {
  title: 'Plugins',
  hint: 'Plugins that this level adds or switches off',
  fields: ['plugins'],
  collapsed: true,
} as const satisfies Section;

export const methodSuggestions = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
