import type { Router } from '#client';
import { formSpec } from '@/components/form/contract-shape';
import {
  descriptionField,
  enabledField,
  idField,
  labelsField,
  nameField,
  notesSection,
  pluginsSection,
} from '@/features/resources/forms/common-fields';
import { pluginsField } from '@/features/resources/forms/plugins-field';

export const routerForm = formSpec<Router>(
  'Router',
  {
    id: idField,
    name: nameField,
    description: descriptionField,
    labels: labelsField,
    enabled: enabledField,
    proxyServerId: {
      type: 'reference',
      label: 'Proxy server',
      kind: 'proxy-servers',
      help: 'The listener whose requests this router takes.',
    },
    hosts: { type: 'tags', withoutCommas: true, label: 'Hosts', placeholder: 'shop.example.com', wide: true },
    mergeSlashes: { type: 'switch', label: 'Merge slashes', wide: true },
    forwardedHeaders: {
      type: 'choice',
      label: 'Forwarding headers',
      options: [
        { value: 'ALL', label: 'Both families' },
        { value: 'FORWARD', label: 'Forwarded' },
        { value: 'X_FORWARD', label: 'X-Forwarded-*' },
        { value: 'NONE', label: 'None' },
      ],
      wide: true,
    },
    match: {
      type: 'group',
      label: 'Take only some connections',
      schema: 'StreamMatch',
      presence: 'optional',
      help: 'The most specific router of the proxy server takes a connection.',
      fields: {
        sni: {
          type: 'tags',
          withoutCommas: true,
          label: 'Server names',
          placeholder: 'mail.example.com',
          wide: true,
        },
        alpn: { type: 'tags', label: 'Protocols', placeholder: 'h2' },
        clientAddresses: { type: 'tags', label: 'Client addresses', placeholder: '10.0.0.0/8' },
      },
    },
    proxyPassId: {
      type: 'reference',
      label: 'Proxy pass',
      kind: 'proxy-passes',
      help: 'Where all connections go, without routes. On HTTPS, the server names below are not decrypted.',
    },
    plugins: pluginsField,
  },
  [
    {
      title: 'Router',
      hint: 'Matching requests',
      fields: ['id', 'name', 'proxyServerId', 'hosts', 'enabled', 'mergeSlashes'],
    },
    {
      title: 'TCP, TLS and UDP',
      hint: 'Connections that are passed on as bytes, and their proxy pass',
      fields: ['proxyPassId', 'match'],
      collapsed: true,
    },
    {
      title: 'Forwarding headers',
      hint: 'Client details that nodes receive',
      fields: ['forwardedHeaders'],
      collapsed: true,
    },
    pluginsSection,
    notesSection,
  ],
);
