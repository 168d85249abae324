import type { Consumer } from '#client';
import { formSpec } from '@/components/form/contract-shape';
import {
  descriptionField,
  idField,
  labelsField,
  nameField,
  notesSection,
} from '@/features/resources/forms/common-fields';

export const consumerForm = formSpec<Consumer>(
  'Consumer',
  {
    id: idField,
    name: nameField,
    description: descriptionField,
    labels: labelsField,
    enabled: { type: 'switch', label: 'Enabled' },
    groups: { type: 'tags', label: 'Groups', groups: true, placeholder: 'mobile', wide: true },
    apiKeys: {
      type: 'rows',
      label: 'API keys',
      row: 'key',
      schema: 'ConsumerKey',
      optional: true,
      line: ['name', 'key'],
      help: 'Sigma stores only a hash of each key. Leave a key empty to keep the stored one of that name.',
      fields: {
        name: { type: 'text', label: 'Name', placeholder: 'production', help: '' },
        key: { type: 'text', label: 'New key', generated: 'key', wide: true, help: '' },
        sha256: { type: 'text', label: 'SHA-256', mono: true, help: '' },
      },
    },
    logins: {
      type: 'rows',
      label: 'Logins',
      row: 'login',
      schema: 'ConsumerLogin',
      optional: true,
      line: ['username', 'password'],
      help: 'Sigma stores only a hash of each password. Leave a password empty to keep the stored one.',
      fields: {
        username: { type: 'text', label: 'User name', help: '' },
        // Also because browsers send texts to services that check their spelling.
        password: { type: 'text', label: 'New password', generated: 'password', wide: true, help: '' },
        passwordHash: { type: 'text', label: 'Hash', mono: true, help: '' },
      },
    },
    subjects: { type: 'tags', label: 'Subjects of tokens', wide: true },
  },
  [
    { title: 'Consumer', hint: 'Identity', fields: ['id', 'name', 'enabled', 'groups'] },
    {
      title: 'Credentials',
      hint: 'Keys, passwords and subjects of tokens',
      fields: ['apiKeys', 'logins', 'subjects'],
    },
    notesSection,
  ],
);
