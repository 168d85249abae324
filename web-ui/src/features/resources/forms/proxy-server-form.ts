import type { ProxyServer } from '#client';
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

export const proxyServerForm = formSpec<ProxyServer>(
  'ProxyServer',
  {
    id: idField,
    name: nameField,
    description: descriptionField,
    labels: labelsField,
    enabled: enabledField,
    protocol: {
      type: 'choice',
      label: 'Protocol',
      options: [
        { value: 'HTTP', label: 'HTTP' },
        { value: 'HTTPS', label: 'HTTPS' },
        { value: 'TCP', label: 'TCP' },
        { value: 'TLS', label: 'TLS pass-through' },
        { value: 'BOLT', label: 'Bolt' },
        { value: 'DUBBO', label: 'Dubbo' },
        { value: 'THRIFT', label: 'Thrift' },
      ],
    },
    host: { type: 'text', label: 'Address', mono: true },
    port: { type: 'number', label: 'Port', help: 'Gateways listen here.' },
    tls: {
      type: 'group',
      label: 'Serve TLS with a certificate',
      schema: 'ServerTls',
      presence: 'optional',
      help: 'HTTPS needs a certificate: one that is stored here, or files on the disk of each gateway. TCP, Bolt, Dubbo and Thrift may have one.',
      fields: {
        certificates: {
          type: 'tags',
          label: 'Certificates',
          of: 'certificates',
          help: 'Empty means all certificates, unless a certificate file is set.',
        },
        defaultCertificateId: {
          type: 'reference',
          label: 'Default certificate',
          kind: 'certificates',
          help: 'For names without a matching certificate.',
        },
        minVersion: {
          type: 'choice',
          label: 'Oldest version',
          options: [
            { value: 'TLS_1_2', label: 'TLS 1.2' },
            { value: 'TLS_1_3', label: 'TLS 1.3' },
          ],
        },
        clientAuth: {
          type: 'choice',
          label: 'Certificates of clients',
          options: [
            { value: 'NONE', label: 'Not requested' },
            { value: 'OPTIONAL', label: 'Asked for' },
            { value: 'REQUIRED', label: 'Required' },
          ],
          help: '',
        },
        clientCa: { type: 'text', label: 'Authorities of clients', multiline: true, mono: true, wide: true },
        clientSubjectHeader: {
          type: 'text',
          label: 'Header with the subject of the client',
          mono: true,
          placeholder: 'X-Client-Subject',
        },
        certPath: {
          type: 'text',
          label: 'Certificate file',
          mono: true,
          placeholder: 'tls/cert.pem',
        },
        keyPath: { type: 'text', label: 'Key file', mono: true, placeholder: 'tls/key.pem' },
      },
    },
    trustedProxies: { type: 'tags', label: 'Trusted proxies', placeholder: '10.0.0.0/8', wide: true },
    limits: {
      type: 'group',
      label: 'Limits',
      schema: 'ServerLimits',
      presence: 'always',
      plain: true,
      fields: {
        headBytesMax: { type: 'number', label: 'Request head', unit: 'bytes' },
        fieldsMax: { type: 'number', label: 'Header fields' },
        targetBytesMax: { type: 'number', label: 'Request target', unit: 'bytes' },
        bodyBytesMax: { type: 'number', label: 'Request body', unit: 'bytes' },
        idleTimeoutMillis: { type: 'number', label: 'Idle connection', unit: 'ms' },
        streamIdleTimeoutMillis: { type: 'number', label: 'Idle tunnel or stream', unit: 'ms' },
        headTimeoutMillis: { type: 'number', label: 'Timeout for the head', unit: 'ms' },
        bodyBytesPerSecondMin: {
          type: 'number',
          label: 'Least body rate',
          unit: 'bytes',
          help: 'Each second.',
        },
        bodyRatePeriodMillis: { type: 'number', label: 'Period of the body rate', unit: 'ms' },
        responseBytesPerSecondMin: {
          type: 'number',
          label: 'Least rate of reading',
          unit: 'bytes',
          help: 'Per second, averaged over the idle timeout.',
        },
        connectionsMax: { type: 'number', label: 'Connections' },
        frameBytesMax: { type: 'number', label: 'Frame', unit: 'bytes' },
        callsMax: {
          type: 'number',
          label: 'Requests in progress',
          help: 'On one connection of Bolt, Dubbo or Thrift.',
        },
      },
    },
    plugins: pluginsField,
  },
  [
    {
      title: 'Listener',
      hint: 'Where gateways accept connections',
      fields: ['id', 'name', 'port', 'protocol', 'host', 'enabled'],
    },
    { title: 'TLS', hint: 'Certificate and key', fields: ['tls'], collapsed: true },
    {
      title: 'Limits and trust',
      hint: 'Limits for clients, and proxies with trusted forwarding headers',
      fields: ['limits', 'trustedProxies'],
      collapsed: true,
    },
    pluginsSection,
    notesSection,
  ],
);
