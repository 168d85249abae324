import type { Route, RouteCondition } from '#client';
import { formSpec } from '@/components/form/contract-shape';
import type { RowsField } from '@/components/form/field-types';
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

function conditions(label: string, row: string, placeholder: string): RowsField<RouteCondition> {
  return {
    type: 'rows',
    label,
    row,
    schema: 'RouteCondition',
    optional: true,
    fields: {
      name: { type: 'text', label: 'Name', mono: true, placeholder, wide: true, help: '' },
      value: { type: 'text', label: 'is', mono: true, placeholder: 'exact value', wide: true, help: '' },
      regex: {
        type: 'text',
        label: 'or matches',
        mono: true,
        placeholder: 'RE2 expression',
        wide: true,
        help: '',
      },
      present: {
        type: 'choice',
        label: 'or is',
        optional: true,
        options: [
          { value: true, label: 'there' },
          { value: false, label: 'not there' },
        ],
        help: '',
      },
    },
  };
}

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
    methods: {
      type: 'tags',
      withoutCommas: true,
      label: 'Methods',
      suggestions: methodSuggestions,
      placeholder: 'all',
    },
    headers: conditions('Header fields', 'header field', 'X-Version'),
    queryParameters: conditions('Query parameters', 'query parameter', 'version'),
    cookies: conditions('Cookies', 'cookie', 'beta'),
    clientAddresses: {
      type: 'tags',
      label: 'Client addresses',
      placeholder: '10.0.0.0/8',
      wide: true,
    },
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
      help: 'What to do with a matching request.',
    },
    plugins: pluginsField,
  },
  [
    {
      title: 'Match',
      hint: 'Matching requests, and their proxy pass',
      fields: ['id', 'name', 'routerId', 'proxyPassId', 'path', 'methods', 'enabled'],
    },
    {
      title: 'Conditions',
      hint: 'Header fields, query parameters, cookies and the address of the client',
      fields: ['headers', 'queryParameters', 'cookies', 'clientAddresses'],
      collapsed: true,
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
