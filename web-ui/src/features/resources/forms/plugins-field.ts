import type { Plugins } from '#client';
import type { GroupField, NumberField, SwitchField } from '@/components/form/field-types';
import { methodSuggestions } from '@/features/resources/forms/common-fields';

const minBytes: NumberField = { type: 'number', label: 'Smallest body', unit: 'bytes' };

// The choice of on and off stands for it.
const enabled: SwitchField = { type: 'switch', label: 'Enabled' };

/** The same at every level. */
export const pluginsField: GroupField<Plugins> = {
  type: 'group',
  label: 'Plugins',
  schema: 'Plugins',
  presence: 'always',
  plain: true,
  help: 'The most specific level that sets a plugin wins: proxy server, then router, route, proxy pass. Off here switches off what a level before switched on. Without either, the value of the level before is used.',
  fields: {
    accessLog: {
      type: 'group',
      label: 'Access log',
      schema: 'AccessLogPlugin',
      presence: 'plugin',
      fields: { enabled },
    },
    acl: {
      type: 'group',
      label: 'ACL',
      schema: 'AclPlugin',
      presence: 'plugin',
      fields: {
        enabled,
        allowConsumers: { type: 'tags', label: 'Allowed consumers', of: 'consumers' },
        allowGroups: { type: 'tags', label: 'Allowed groups', groups: true, placeholder: 'mobile' },
        denyConsumers: { type: 'tags', label: 'Denied consumers', of: 'consumers' },
        denyGroups: { type: 'tags', label: 'Denied groups', groups: true },
      },
    },
    brotli: {
      type: 'group',
      label: 'Brotli',
      schema: 'BrotliPlugin',
      presence: 'plugin',
      fields: { enabled, minBytes },
    },
    cors: {
      type: 'group',
      label: 'CORS',
      schema: 'CorsPlugin',
      presence: 'plugin',
      fields: {
        enabled,
        allowOrigins: { type: 'tags', label: 'Origins', placeholder: 'https://shop.example.com', wide: true },
        allowMethods: {
          type: 'tags',
          withoutCommas: true,
          label: 'Methods',
          suggestions: methodSuggestions,
          placeholder: 'GET',
        },
        allowHeaders: { type: 'tags', label: 'Request headers', placeholder: 'Authorization' },
        exposeHeaders: {
          type: 'tags',
          label: 'Exposed response headers',
          placeholder: 'X-Request-Id',
          help: 'Response headers that scripts may read.',
        },
        maxAgeSeconds: {
          type: 'number',
          label: 'Preflight kept for',
          unit: 's',
          help: 'Time for which a browser may remember the answer to a preflight.',
        },
        allowCredentials: { type: 'switch', label: 'Allow credentials', wide: true },
      },
    },
    csp: {
      type: 'group',
      label: 'Content security policy',
      schema: 'CspPlugin',
      presence: 'plugin',
      fields: {
        enabled,
        directives: {
          type: 'rows',
          label: 'Directives',
          row: 'directive',
          schema: 'CspDirective',
          fields: {
            name: { type: 'text', label: 'Directive', mono: true, placeholder: 'default-src' },
            value: { type: 'text', label: 'Value', mono: true, placeholder: "'self'", wide: true },
          },
        },
        reportOnly: {
          type: 'switch',
          label: 'Report only',
          help: 'Browsers only report violations of the policy. They block nothing.',
          wide: true,
        },
      },
    },
    extensions: {
      type: 'json',
      label: 'Plugins of your own',
      placeholder: '{ "maintenance": { "retryAfterSeconds": 300 } }',
      help: 'Each by its name, with its configuration. "enabled": false switches it off at this level.',
    },
    gzip: {
      type: 'group',
      label: 'Gzip',
      schema: 'GzipPlugin',
      presence: 'plugin',
      fields: {
        enabled,
        level: {
          type: 'number',
          label: 'Level',
          help: 'A higher value makes smaller bodies and takes longer.',
        },
        minBytes,
      },
    },
    hsts: {
      type: 'group',
      label: 'Strict transport security',
      schema: 'HstsPlugin',
      presence: 'plugin',
      fields: {
        enabled,
        maxAgeSeconds: {
          type: 'number',
          label: 'Kept for',
          unit: 's',
          help: 'Time for which browsers use only https.',
        },
        includeSubDomains: { type: 'switch', label: 'Include subdomains' },
      },
    },
    httpsRedirect: {
      type: 'group',
      label: 'Redirect to https',
      schema: 'HttpsRedirectPlugin',
      presence: 'plugin',
      fields: {
        enabled,
        port: { type: 'number', label: 'Port', help: 'The port of the https proxy server.' },
        status: {
          type: 'choice',
          label: 'Status',
          options: [
            { value: 301, label: '301 Moved Permanently' },
            { value: 302, label: '302 Found' },
            { value: 307, label: '307 Temporary Redirect' },
            { value: 308, label: '308 Permanent Redirect' },
          ],
        },
      },
    },
    jwt: {
      type: 'group',
      label: 'JWT',
      schema: 'JwtPlugin',
      presence: 'plugin',
      fields: {
        enabled,
        issuer: { type: 'text', label: 'Issuer', mono: true, placeholder: 'https://login.example.com/' },
        audiences: { type: 'tags', label: 'Audiences', placeholder: 'shop' },
        jwksUrl: {
          type: 'text',
          label: 'Key set URL',
          mono: true,
          placeholder: 'https://login.example.com/keys',
          wide: true,
        },
        jwks: { type: 'json', label: 'Key set', placeholder: '{ "keys": [] }' },
        secret: {
          type: 'text',
          label: 'Secret',
          mono: true,
          wide: true,
          help: 'For HS*, at least 32 characters. Sigma never shows the secret. Leave it empty to keep the stored one.',
        },
      },
    },
    rewritePath: {
      type: 'group',
      label: 'Rewrite path',
      schema: 'RewritePathPlugin',
      presence: 'plugin',
      fields: {
        enabled,
        regexp: {
          type: 'text',
          label: 'Expression',
          mono: true,
          placeholder: '/test/(?<segment>.*)',
          help: 'An RE2/J expression that must match the whole path.',
        },
        replacement: { type: 'text', label: 'Replacement', mono: true, placeholder: '/${segment}' },
      },
    },
    staticResources: {
      type: 'group',
      label: 'Static resources',
      schema: 'StaticResourcesPlugin',
      presence: 'plugin',
      fields: {
        enabled,
        rootPath: {
          type: 'text',
          label: 'Folder',
          mono: true,
          placeholder: 'www',
          help: "A path on the gateway's disk.",
        },
        urlPattern: { type: 'text', label: 'URL pattern', mono: true },
      },
    },
    xFrame: {
      type: 'group',
      label: 'Frame options',
      schema: 'XFramePlugin',
      presence: 'plugin',
      fields: {
        enabled,
        value: {
          type: 'choice',
          label: 'Value',
          options: [
            { value: 'SAMEORIGIN', label: 'SAMEORIGIN' },
            { value: 'DENY', label: 'DENY' },
          ],
        },
      },
    },
    zstd: {
      type: 'group',
      label: 'Zstandard',
      schema: 'ZstdPlugin',
      presence: 'plugin',
      fields: { enabled, minBytes },
    },
  },
};
