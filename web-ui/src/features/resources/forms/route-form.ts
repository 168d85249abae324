import type { Route } from '#client';
import { formSpec } from '@/components/form/field-types';
import {
  descriptionField,
  enabledField,
  idField,
  labelsField,
  methodSuggestions,
  nameField,
  notesSection,
  pluginsSection,
} from '@/features/resources/forms/common-fields';
import { pluginsField } from '@/features/resources/forms/plugins-field';

export const routeForm = formSpec<Route>(
  'Route',
  {
    id: idField,
    name: nameField,
    description: descriptionField,
    labels: labelsField,
    enabled: enabledField,
    routerId: {
      type: 'reference',
      label: 'Router',
      kind: 'routers',
      help: 'The group that this route belongs to.',
    },
    path: { type: 'text', label: 'Path', mono: true, placeholder: '/api/*', wide: true },
    methods: { type: 'tags', label: 'Methods', suggestions: methodSuggestions, placeholder: 'all' },
    consumes: {
      type: 'tags',
      label: 'Consumes',
      suggestions: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data', 'text/*'],
      placeholder: 'application/json',
    },
    produces: {
      type: 'tags',
      label: 'Produces',
      suggestions: ['application/json', 'text/html', 'text/*', 'image/*'],
      placeholder: 'application/json',
    },
    priority: { type: 'number', label: 'Priority' },
    proxyPassId: {
      type: 'reference',
      label: 'Proxy pass',
      kind: 'proxy-passes',
      help: 'What to do with a request that matches.',
    },
    plugins: pluginsField,
  },
  [
    {
      title: 'Match',
      hint: 'Which requests, and what to do with them',
      fields: ['id', 'name', 'routerId', 'proxyPassId', 'path', 'methods', 'enabled'],
    },
    {
      title: 'Finer matching',
      hint: 'Media types and priority',
      fields: ['consumes', 'produces', 'priority'],
      collapsed: true,
    },
    pluginsSection,
    notesSection,
  ],
);
