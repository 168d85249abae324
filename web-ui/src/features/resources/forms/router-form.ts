import type { Router, TextMatch } from '#client';
import { formSpec } from '@/components/form/contract-shape';
import type { GroupField } from '@/components/form/field-types';
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

function textMatch(label: string, placeholder: string): GroupField<TextMatch> {
  return {
    type: 'group',
    label,
    schema: 'TextMatch',
    presence: 'optional',
    help: '',
    fields: {
      value: { type: 'text', label: 'is', mono: true, placeholder, help: '' },
      prefix: { type: 'text', label: 'or begins with', mono: true, help: '' },
      regex: { type: 'text', label: 'or matches', mono: true, placeholder: 'RE2 expression', help: '' },
    },
  };
}

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
      label: 'Take only some connections or requests',
      schema: 'StreamMatch',
      presence: 'optional',
      help: 'The most specific router of the proxy server takes a connection, or a request of Bolt, Dubbo or Thrift.',
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
        rpc: {
          type: 'group',
          label: 'Take only some requests',
          schema: 'RpcMatch',
          presence: 'optional',
          help: 'Of Bolt, Dubbo or Thrift.',
          fields: {
            service: textMatch('Service', 'com.example.Orders'),
            method: textMatch('Method', 'getOrder'),
            headers: {
              type: 'rows',
              label: 'Header pairs',
              row: 'Header pair',
              schema: 'RpcCondition',
              optional: true,
              fields: {
                name: {
                  type: 'text',
                  label: 'Name',
                  mono: true,
                  placeholder: 'service',
                  wide: true,
                  help: '',
                },
                value: {
                  type: 'text',
                  label: 'is',
                  mono: true,
                  placeholder: 'exact value',
                  wide: true,
                  help: '',
                },
                prefix: { type: 'text', label: 'or begins with', mono: true, wide: true, help: '' },
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
            },
          },
        },
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
      title: 'TCP, TLS, UDP, Bolt, Dubbo and Thrift',
      hint: 'Conditions for connections without HTTP, and their proxy pass',
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
