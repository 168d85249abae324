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
    chain: { type: 'text', multiline: true, mono: true, pem: 'chain', label: 'Chain', wide: true },
    privateKey: {
      type: 'text',
      multiline: true,
      mono: true,
      pem: 'privateKey',
      label: 'Private key',
      wide: true,
      help: 'Sigma never shows the key. Leave it empty to keep the stored one.',
    },
  },
  [
    { title: 'Certificate', hint: 'Certificate and key', fields: ['id', 'name', 'chain', 'privateKey'] },
    notesSection,
  ],
);
