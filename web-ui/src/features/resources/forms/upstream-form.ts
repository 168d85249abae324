import type { Upstream } from '#client';
import { formSpec } from '@/components/form/contract-shape';
import {
  descriptionField,
  idField,
  labelsField,
  nameField,
  notesSection,
} from '@/features/resources/forms/common-fields';

export const upstreamForm = formSpec<Upstream>(
  'Upstream',
  {
    id: idField,
    name: nameField,
    description: descriptionField,
    labels: labelsField,
    balancing: {
      type: 'choice',
      label: 'Balancing',
      options: [
        { value: 'ROUND_ROBIN', label: 'Round robin' },
        { value: 'WEIGHTED_ROUND_ROBIN', label: 'Weighted round robin' },
      ],
      wide: true,
    },
    nodes: {
      type: 'rows',
      label: 'Nodes',
      row: 'node',
      schema: 'Node',
      help: '`http://` or `https://`, a host (IPv6 in brackets), optionally a port and a path prefix. The weight counts under weighted round robin only; 0 takes no requests.',
      fields: {
        url: {
          type: 'text',
          label: 'URL',
          mono: true,
          placeholder: 'http://10.0.0.1:8888',
          wide: true,
          help: '',
        },
        weight: { type: 'number', label: 'Weight', help: '' },
      },
    },
    pool: {
      type: 'group',
      label: 'Connection pool',
      schema: 'Pool',
      presence: 'always',
      plain: true,
      fields: {
        connectionsMax: { type: 'number', label: 'Connections' },
        queueMax: { type: 'number', label: 'Waiting requests' },
        idleTimeoutMillis: { type: 'number', label: 'Unused connection', unit: 'ms' },
      },
    },
    tls: {
      type: 'group',
      label: 'TLS towards nodes',
      schema: 'ClientTls',
      presence: 'always',
      plain: true,
      help: 'For nodes with an https URL.',
      fields: {
        verify: { type: 'switch', label: 'Verify certificates' },
        caPath: { type: 'text', label: 'Authorities', mono: true, placeholder: '/etc/ssl/certs/ca.pem' },
      },
    },
  },
  [
    { title: 'Upstream', hint: 'What people call it', fields: ['id', 'name'] },
    { title: 'Nodes', hint: 'Who answers, and how requests are spread', fields: ['nodes', 'balancing'] },
    {
      title: 'Connection pool',
      hint: 'Bounds of one gateway towards one node',
      fields: ['pool'],
      collapsed: true,
    },
    { title: 'TLS', hint: 'How the certificate of a node is checked', fields: ['tls'], collapsed: true },
    notesSection,
  ],
);
