import { Badge, Group, Text } from '@mantine/core';
import type { Balancing, Plugins, ProxyPass } from '#client';
import type { Column } from '@/components/data-table';
import { EnabledBadge } from '@/components/enabled-badge';
import { Mono } from '@/components/mono';
import { ResourceLink } from '@/components/resource-link';
import { UpstreamHealthBadge } from '@/features/resources/upstream-health-badge';
import type { Kind, Resources } from '@/lib/kinds';

const SHOWN_MAX = 3;

/** What a proxy pass does, in a few words. */
function PassAction({ pass }: { readonly pass: ProxyPass }) {
  const { upstreamId, split, redirect, fixedResponse, staticFiles } = pass;
  const [words, rest] =
    upstreamId !== undefined
      ? ['forward to', <ResourceLink key="upstream" kind="upstreams" id={upstreamId} />]
      : split !== undefined
        ? [
            'split over',
            <Some
              key="split"
              texts={split.targets.map((target) => `${target.upstreamId} (${String(target.weight)})`)}
              none="none"
            />,
          ]
        : redirect !== undefined
          ? [
              `redirect ${String(redirect.status ?? 302)} to`,
              <Mono key="location" long>
                {redirect.location}
              </Mono>,
            ]
          : staticFiles !== undefined
            ? [
                'files of',
                <Mono key="root" long>
                  {staticFiles.rootPath}
                </Mono>,
              ]
            : [`answer ${String(fixedResponse?.status ?? 200)}`, null];
  return (
    <Group gap={6} wrap="nowrap">
      <Text size="sm" c="dimmed">
        {words}
      </Text>
      {rest}
    </Group>
  );
}

/** What a list shows of each kind, beside id and name. */
export const listColumns: { readonly [K in Kind]: readonly Column<Resources[K]>[] } = {
  'proxy-servers': [
    {
      header: 'Listens on',
      cell: ({ protocol, host, port }) => (
        <Mono>{`${(protocol ?? 'HTTP').toLowerCase()}://${bracketed(host ?? '0.0.0.0')}:${port}`}</Mono>
      ),
    },
    { header: 'Plugins', cell: ({ plugins }) => <PluginNames plugins={plugins} /> },
    { header: 'State', cell: ({ enabled }) => <EnabledBadge enabled={enabled} /> },
  ],
  routers: [
    { header: 'Hosts', cell: ({ hosts }) => <Some texts={hosts} none="any host" /> },
    {
      header: 'Proxy server',
      cell: ({ proxyServerId }) => <ResourceLink kind="proxy-servers" id={proxyServerId} />,
    },
    { header: 'Plugins', cell: ({ plugins }) => <PluginNames plugins={plugins} /> },
    { header: 'State', cell: ({ enabled }) => <EnabledBadge enabled={enabled} /> },
  ],
  routes: [
    { header: 'Path', cell: ({ path }) => <Mono long>{path}</Mono> },
    { header: 'Methods', cell: ({ methods }) => <Some texts={methods} none="all" /> },
    { header: 'Router', cell: ({ routerId }) => <ResourceLink kind="routers" id={routerId} /> },
    {
      header: 'Proxy pass',
      cell: ({ proxyPassId }) => <ResourceLink kind="proxy-passes" id={proxyPassId} />,
    },
    { header: 'Priority', cell: ({ priority }) => priority ?? 0 },
    { header: 'State', cell: ({ enabled }) => <EnabledBadge enabled={enabled} /> },
  ],
  'proxy-passes': [
    {
      header: 'Action',
      cell: (pass) => <PassAction pass={pass} />,
    },
    { header: 'Plugins', cell: ({ plugins }) => <PluginNames plugins={plugins} /> },
  ],
  consumers: [
    { header: 'Groups', cell: ({ groups }) => <Some texts={groups} none="none" /> },
    {
      header: 'Credentials',
      cell: ({ apiKeys, logins }) => (
        <Some
          texts={[
            ...(apiKeys ?? []).map(({ name }) => name ?? 'key'),
            ...(logins ?? []).map(({ username }) => username),
          ]}
          none="tokens only"
        />
      ),
    },
  ],
  certificates: [{ header: 'Description', cell: ({ description }) => <Text size="sm">{description}</Text> }],
  upstreams: [
    { header: 'Nodes', cell: ({ nodes }) => <Some texts={nodes?.map(({ url }) => url)} none="discovered" /> },
    {
      header: 'Balancing',
      cell: ({ balancing }) => balancings[balancing ?? 'ROUND_ROBIN'],
    },
    { header: 'Health', cell: ({ id }) => <UpstreamHealthBadge id={id ?? ''} /> },
  ],
};

const balancings: Readonly<Record<Balancing, string>> = {
  ROUND_ROBIN: 'Round robin',
  WEIGHTED_ROUND_ROBIN: 'Weighted round robin',
  LEAST_REQUESTS: 'Least requests',
  RANDOM: 'Random',
  PEAK_EWMA: 'Lowest latency',
  HASH: 'Hash',
  BEST_AVAILABLE: 'Best available',
};

function Some({ texts, none }: { texts: readonly string[] | undefined; none: string }) {
  if (texts === undefined || texts.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    );
  }
  const more = texts.length - SHOWN_MAX;
  return (
    <span title={texts.join('\n')}>
      <Mono>{texts.slice(0, SHOWN_MAX).join(', ')}</Mono>
      {more > 0 && (
        <Text span size="xs" c="dimmed">
          {` and ${more} more`}
        </Text>
      )}
    </span>
  );
}

function PluginNames({ plugins }: { plugins: Plugins | undefined }) {
  const names = Object.entries(plugins ?? {}).filter(([, plugin]) => plugin !== undefined);
  return names.length === 0 ? (
    <Text size="sm" c="dimmed">
      none
    </Text>
  ) : (
    <Group gap={4}>
      {names.map(([name]) => (
        <Badge key={name} variant="light" color="gray" tt="none" size="sm">
          {name}
        </Badge>
      ))}
    </Group>
  );
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
