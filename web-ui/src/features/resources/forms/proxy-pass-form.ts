import type { HeaderEdits, ProxyPass } from '#client';
import { formSpec } from '@/components/form/contract-shape';
import type { GroupField } from '@/components/form/field-types';
import {
  descriptionField,
  idField,
  labelsField,
  nameField,
  notesSection,
  pluginsSection,
} from '@/features/resources/forms/common-fields';
import { pluginsField } from '@/features/resources/forms/plugins-field';

function headerEdits(label: string, example: string): GroupField<HeaderEdits> {
  return {
    type: 'group',
    label,
    schema: 'HeaderEdits',
    presence: 'always',
    help: 'Applied in the order remove, rename, set, add. Set replaces existing values, add keeps them.',
    fields: {
      remove: { type: 'tags', label: 'Remove', placeholder: example, wide: true },
      set: {
        type: 'pairs',
        label: 'Set',
        keyLabel: 'Header',
        valueLabel: 'Value',
        row: 'header to set',
        help: 'Replaces existing values.',
      },
      add: {
        type: 'pairs',
        label: 'Add',
        keyLabel: 'Header',
        valueLabel: 'Value',
        row: 'header to add',
        help: 'Keeps existing values.',
      },
    },
  };
}

export const proxyPassForm = formSpec<ProxyPass>(
  'ProxyPass',
  {
    id: idField,
    name: nameField,
    description: descriptionField,
    labels: labelsField,
    upstreamId: {
      type: 'reference',
      label: 'Upstream',
      kind: 'upstreams',
      help: 'Its nodes answer the request.',
    },
    redirect: {
      type: 'group',
      label: 'Redirect',
      schema: 'Redirect',
      presence: 'optional',
      fields: {
        status: {
          type: 'choice',
          label: 'Status',
          options: [
            { value: 301, label: '301 Moved Permanently' },
            { value: 302, label: '302 Found' },
            { value: 303, label: '303 See Other' },
            { value: 307, label: '307 Temporary Redirect' },
            { value: 308, label: '308 Permanent Redirect' },
          ],
          help: 'The status of the answer.',
        },
        location: {
          type: 'text',
          label: 'Location',
          mono: true,
          placeholder: 'https://new.example.com$request_uri',
          wide: true,
        },
      },
    },
    split: {
      type: 'group',
      label: 'Split',
      schema: 'Split',
      presence: 'optional',
      fields: {
        targets: {
          type: 'rows',
          label: 'Upstreams',
          schema: 'SplitTarget',
          row: 'upstream',
          wide: true,
          help: 'A weight is a share of the requests, relative to the sum of the weights. A target with weight 0 gets none.',
          fields: {
            upstreamId: { type: 'reference', label: 'Upstream', kind: 'upstreams', wide: true, help: '' },
            weight: { type: 'number', label: 'Weight', help: '' },
          },
        },
        sticky: {
          type: 'group',
          label: 'Keep clients on their upstream',
          schema: 'Sticky',
          presence: 'optional',
          fields: {
            source: {
              type: 'choice',
              label: 'By',
              options: [
                { value: 'COOKIE', label: 'Cookie' },
                { value: 'HEADER', label: 'Header' },
              ],
            },
            name: { type: 'text', label: 'Name', mono: true, placeholder: 'sigma-split' },
            maxAgeSeconds: { type: 'number', label: 'Cookie lasts', unit: 's' },
          },
        },
      },
    },
    fixedResponse: {
      type: 'group',
      label: 'Fixed response',
      schema: 'FixedResponse',
      presence: 'optional',
      fields: {
        status: { type: 'number', label: 'Status' },
        contentType: { type: 'text', label: 'Content type', mono: true },
        body: { type: 'text', label: 'Body', multiline: true, mono: true, wide: true },
      },
    },
    staticFiles: {
      type: 'group',
      label: 'Static files',
      schema: 'StaticFiles',
      presence: 'optional',
      fields: {
        rootPath: { type: 'text', label: 'Folder', mono: true, placeholder: 'www', wide: true },
        index: { type: 'text', label: 'Index', mono: true },
        fallback: {
          type: 'text',
          label: 'File for paths that are not found',
          mono: true,
          placeholder: 'index.html',
        },
        cacheControl: {
          type: 'text',
          label: 'Cache-Control',
          mono: true,
          placeholder: 'public, max-age=3600',
        },
      },
    },
    mirror: {
      type: 'group',
      label: 'Mirror',
      schema: 'Mirror',
      presence: 'optional',
      fields: {
        upstreamId: { type: 'reference', label: 'Upstream', kind: 'upstreams' },
        percent: { type: 'number', label: 'Share in percent' },
        bodyBytesMax: { type: 'number', label: 'Longest body', unit: 'bytes' },
        timeoutMillis: { type: 'number', label: 'Give up after', unit: 'ms' },
      },
    },
    buffering: {
      type: 'group',
      label: 'Buffering',
      schema: 'Buffering',
      presence: 'always',
      fields: {
        requestBytes: { type: 'number', label: 'Request', unit: 'bytes' },
        responseBytes: { type: 'number', label: 'Response', unit: 'bytes' },
      },
    },
    stripPrefix: { type: 'text', label: 'Strip prefix', mono: true, placeholder: '/api' },
    addPrefix: { type: 'text', label: 'Add prefix', mono: true, placeholder: '/v2' },
    host: { type: 'text', label: 'Host', mono: true, placeholder: 'inner.example.com' },
    requestBodyBytesMax: { type: 'number', label: 'Largest request body', unit: 'bytes' },
    requestHeaders: headerEdits('Request headers', 'Cookie'),
    responseHeaders: headerEdits('Response headers', 'Server'),
    timeouts: {
      type: 'group',
      label: 'Timeouts',
      schema: 'Timeouts',
      presence: 'always',
      plain: true,
      fields: {
        connectMillis: { type: 'number', label: 'Connect', unit: 'ms' },
        responseMillis: { type: 'number', label: 'Response', unit: 'ms' },
        idleMillis: { type: 'number', label: 'Idle', unit: 'ms' },
        totalMillis: { type: 'number', label: 'Whole exchange', unit: 'ms' },
      },
    },
    retry: {
      type: 'group',
      label: 'Retries',
      schema: 'Retry',
      presence: 'always',
      help: 'When a failed request is sent to another node.',
      fields: {
        attemptsMax: { type: 'number', label: 'Attempts' },
        conditions: { type: 'tags', withoutCommas: true, label: 'After', placeholder: 'CONNECT_FAILURE' },
        statuses: { type: 'tags', numeric: true, label: 'Statuses', placeholder: '503' },
        methods: {
          type: 'tags',
          withoutCommas: true,
          label: 'Methods that may be sent twice',
          placeholder: 'GET',
        },
        perTryMillis: { type: 'number', label: 'Each try', unit: 'ms' },
        backoffMillis: { type: 'number', label: 'Pause', unit: 'ms' },
        backoffMaxMillis: { type: 'number', label: 'Longest pause', unit: 'ms' },
      },
    },
    subset: {
      type: 'group',
      label: 'Subset of the nodes',
      schema: 'NodeSubset',
      presence: 'optional',
      fields: {
        metadata: {
          type: 'pairs',
          label: 'Metadata',
          keyLabel: 'Key',
          valueLabel: 'Value',
          row: 'value',
          help: 'Requests go to nodes with all of these values.',
        },
        fallback: {
          type: 'choice',
          label: 'Otherwise',
          options: [
            { value: 'NONE', label: 'No node' },
            { value: 'ANY', label: 'Any node' },
            { value: 'DEFAULT', label: 'Another subset' },
          ],
        },
        fallbackMetadata: {
          type: 'pairs',
          label: 'Metadata of the other subset',
          keyLabel: 'Key',
          valueLabel: 'Value',
          row: 'value',
        },
      },
    },
    httpsDegradeHttp: { type: 'switch', label: 'Degrade https to http' },
    preserveHost: { type: 'switch', label: "Keep the client's Host" },
    plugins: pluginsField,
  },
  [
    { title: 'Proxy pass', hint: 'Id and name', fields: ['id', 'name'] },
    {
      title: 'Action',
      hint: 'What happens to a matching request',
      fields: ['upstreamId', 'split', 'redirect', 'fixedResponse', 'staticFiles'],
      alternatives: [
        { field: 'upstreamId', label: 'Forward to an upstream' },
        { field: 'split', label: 'Split over upstreams' },
        { field: 'redirect', label: 'Redirect the client' },
        { field: 'fixedResponse', label: 'Answer with a fixed response' },
        { field: 'staticFiles', label: 'Serve static files' },
      ],
    },
    {
      title: 'Request to the node',
      hint: 'Path, Host and size of the request to the node',
      fields: ['stripPrefix', 'addPrefix', 'host', 'requestBodyBytesMax'],
      collapsed: true,
    },
    {
      title: 'Headers',
      hint: 'Header changes for the node and for the client',
      fields: ['requestHeaders', 'responseHeaders'],
      collapsed: true,
    },
    {
      title: 'Mirror and buffering',
      hint: 'Copies to another upstream, and buffering of bodies',
      fields: ['mirror', 'buffering'],
      collapsed: true,
    },
    {
      title: 'Timeouts and connecting',
      hint: 'Timeouts and protocol towards nodes',
      fields: ['timeouts', 'retry', 'preserveHost', 'httpsDegradeHttp'],
      collapsed: true,
    },
    pluginsSection,
    notesSection,
  ],
);
