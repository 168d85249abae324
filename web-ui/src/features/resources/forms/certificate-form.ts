import type { Certificate } from '#client';
import { formSpec } from '@/components/form/contract-shape';
import {
  descriptionField,
  idField,
  labelsField,
  nameField,
  notesSection,
} from '@/features/resources/forms/common-fields';

export const certificateForm = formSpec<Certificate>(
  'Certificate',
  {
    id: idField,
    name: nameField,
    description: descriptionField,
    labels: labelsField,
    chain: { type: 'text', multiline: true, mono: true, label: 'Chain', wide: true },
    privateKey: {
      type: 'text',
      multiline: true,
      mono: true,
      label: 'Private key',
      wide: true,
      help: 'It is never shown. Leave it empty to keep the one that is stored.',
    },
  },
  [
    { title: 'Certificate', hint: 'What is presented', fields: ['id', 'name', 'chain', 'privateKey'] },
    notesSection,
  ],
);
