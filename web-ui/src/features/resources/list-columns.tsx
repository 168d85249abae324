import { Anchor, Badge, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Balancing, Plugins, ProxyPass, Route, Router, TrafficFigures } from '#client';
import type { Column } from '@/components/data-table';
import { Mono } from '@/components/mono';
import { ResourceLink } from '@/components/resource-link';
import { StateSwitch } from '@/features/resources/state-switch';
import { UpstreamHealthBadge } from '@/features/resources/upstream-health-badge';
import { daysLeft } from '@/lib/days-left';
import { percent, short } from '@/lib/figures';
import type { Kind, Resources } from '@/lib/kinds';
import { certificateFacts, pemBlocks, type CertificateFacts } from '@/lib/x509';
import { dateTime, number, t } from '@/locales';

const SHOWN_MAX = 3;

/** What a proxy pass does, in a few words. Beside its id, that of an upstream of the same name is not repeated. */
function PassAction({ pass, besideId = false }: { readonly pass: ProxyPass; readonly besideId?: boolean }) {
  const { id, upstreamId, split, redirect, fixedResponse, staticFiles } = pass;
  if (besideId && upstreamId !== undefined && upstreamId === id) {
    return (
      <Anchor
        size="sm"
        display="block"
        renderRoot={(props) => (
          <Link {...props} to="/$kind/$id" params={{ kind: 'upstreams', id: upstreamId }} />
        )}
      >
        {t('upstream of the same id')}
      </Anchor>
    );
  }
  const [words, rest] =
    upstreamId !== undefined
      ? [t('forward to'), <ResourceLink key="upstream" kind="upstreams" id={upstreamId} />]
      : split !== undefined
        ? [
            t('split over'),
            <Some
              key="split"
              texts={split.targets.map((target) => `${target.upstreamId} (${String(target.weight)})`)}
              none={t('none')}
            />,
          ]
        : redirect !== undefined
          ? [
              t('redirect {status} to', { status: redirect.status ?? 302 }),
              <Mono key="location" long>
                {redirect.location}
              </Mono>,
            ]
          : staticFiles !== undefined
            ? [
                t('files of'),
                <Mono key="root" long>
                  {staticFiles.rootPath}
                </Mono>,
              ]
            : [t('answer {status}', { status: fixedResponse?.status ?? 200 }), null];
  return (
    <Text size="sm" c="dimmed" component="div">
      {words} {rest}
    </Text>
  );
}

/** What the columns show beside the resource itself. */
export interface ListContext {
  readonly routers: ReadonlyMap<string, Router>;
  readonly passes: ReadonlyMap<string, ProxyPass>;
  /** The ids of the proxy servers that present a certificate. */
  readonly usersOf: (certificate: string) => readonly string[];
  /** Figures of the last hour; undefined where there are none of it. */
  readonly figuresOf: (id: string) => TrafficFigures | undefined;
}

type ColumnsOf<K extends Kind> = (context: ListContext) => readonly Column<Resources[K]>[];

/** What a list shows of each kind, beside id and name. */
export const listColumns: { readonly [K in Kind]: ColumnsOf<K> } = {
  'proxy-servers': () => [
    {
      header: t('Listens on'),
      sort: 'port',
      cell: ({ protocol, host, port }) => (
        <Mono>{`${(protocol ?? 'HTTP').toLowerCase()}://${bracketed(host ?? '0.0.0.0')}:${port}`}</Mono>
      ),
    },
    { header: t('Plugins'), cell: ({ plugins }) => <PluginNames plugins={plugins} /> },
    stateColumn('proxy-servers'),
  ],
  routers: () => [
    { header: t('Hosts'), sort: 'hosts', cell: ({ hosts }) => <Some texts={hosts} none={t('any host')} /> },
    {
      header: t('Proxy server'),
      sort: 'proxyServerId',
      cell: ({ proxyServerId }) => <ResourceLink kind="proxy-servers" id={proxyServerId} />,
    },
    { header: t('Plugins'), cell: ({ plugins }) => <PluginNames plugins={plugins} /> },
    stateColumn('routers'),
  ],
  routes: ({ routers, passes, figuresOf }) => [
    {
      header: t('Path'),
      sort: 'path',
      cell: ({ path, methods, priority = 0 }) => (
        <div>
          <Mono long>{path}</Mono>
          <Text size="xs" c="dimmed">
            {methods === undefined || methods.length === 0 ? t('all methods') : methods.join(', ')}
            {priority !== 0 && t(', priority {priority}', { priority })}
          </Text>
        </div>
      ),
    },
    {
      header: t('Hosts'),
      sort: 'routerId',
      hint: t('The hosts of its router. The order is by router.'),
      cell: ({ routerId }) => (
        <div>
          {routers.has(routerId) && (
            <Some texts={routers.get(routerId)?.hosts} none={t('any host')} max={1} />
          )}
          <div>
            <ResourceLink kind="routers" id={routerId} />
          </div>
        </div>
      ),
    },
    {
      header: t('Target'),
      sort: 'proxyPassId',
      roomy: true,
      hint: t('Its proxy pass, and what the proxy pass does.'),
      cell: ({ proxyPassId }) => {
        const pass = passes.get(proxyPassId);
        return (
          <div>
            <ResourceLink kind="proxy-passes" id={proxyPassId} />
            {pass !== undefined && <PassAction pass={pass} besideId />}
          </div>
        );
      },
    },
    ...trafficColumns(figuresOf),
    stateColumn('routes'),
  ],
  'proxy-passes': () => [
    {
      header: t('Action'),
      cell: (pass) => <PassAction pass={pass} />,
    },
    { header: t('Plugins'), cell: ({ plugins }) => <PluginNames plugins={plugins} /> },
  ],
  consumers: () => [
    { header: t('Groups'), cell: ({ groups }) => <Some texts={groups} none={t('none')} /> },
    {
      header: t('Credentials'),
      cell: ({ apiKeys, logins }) => (
        <Some
          texts={[
            ...(apiKeys ?? []).map(({ name }) => name ?? t('key')),
            ...(logins ?? []).map(({ username }) => username),
          ]}
          none={t('tokens only')}
        />
      ),
    },
    stateColumn('consumers'),
  ],
  certificates: ({ usersOf }) => [
    {
      header: t('Names'),
      cell: ({ chain }) => <Some texts={factsOf(chain)?.names} none={t('unreadable')} />,
    },
    { header: t('Issuer'), cell: ({ chain }) => <Text size="sm">{factsOf(chain)?.issuer}</Text> },
    { header: t('Valid'), cell: ({ chain }) => <Validity facts={factsOf(chain)} /> },
    {
      header: t('Proxy servers'),
      hint: t('The proxy servers that present the certificate. Its page also names the upstreams.'),
      cell: ({ id }) => <Users ids={usersOf(id ?? '')} />,
    },
  ],
  upstreams: ({ figuresOf }) => [
    {
      header: t('Nodes'),
      sort: 'nodes',
      hint: t('The order is by their number.'),
      cell: ({ nodes }) => <Some texts={nodes?.map(({ url }) => url)} none={t('discovered')} />,
    },
    {
      header: t('Balancing'),
      sort: 'balancing',
      cell: ({ balancing }) => balancings[balancing ?? 'ROUND_ROBIN'],
    },
    ...trafficColumns(figuresOf),
    { header: t('Health'), cell: ({ id }) => <UpstreamHealthBadge id={id ?? ''} /> },
  ],
};

/** The fields that order the list of each kind, with what a person calls them, for where no column heads are shown. */
export function ordersOf(kind: Kind): readonly { readonly value: string; readonly label: string }[] {
  const columns: readonly Column<never>[] = listColumns[kind](nothing);
  return [
    { value: 'id', label: 'Id' },
    { value: 'name', label: t('Name') },
    ...columns.flatMap(({ sort, header }) => (sort === undefined ? [] : [{ value: sort, label: header }])),
    ...(kind === 'routes' ? [{ value: '-priority', label: t('Highest priority') }] : []),
  ];
}

const nothing: ListContext = {
  routers: new Map(),
  passes: new Map(),
  usersOf: () => [],
  figuresOf: () => undefined,
};

function factsOf(chain: string): CertificateFacts | undefined {
  const [certificate] = pemBlocks(chain);
  return certificate && certificateFacts(certificate.bytes);
}

const colors = { ended: 'red', soon: 'yellow', good: 'gray' } as const;

function Validity({ facts }: { readonly facts: CertificateFacts | undefined }) {
  if (facts === undefined) {
    return null;
  }
  const { text, state } = daysLeft(facts.to);
  return (
    <Badge
      color={colors[state]}
      variant="light"
      tt="none"
      title={t('until {time}', { time: dateTime(facts.to) })}
    >
      {text}
    </Badge>
  );
}

function Users({ ids }: { readonly ids: readonly string[] }) {
  return ids.length === 0 ? (
    <Text size="sm" c="dimmed">
      {t('none')}
    </Text>
  ) : (
    <Group gap={6}>
      {ids.map((id) => (
        <ResourceLink key={id} kind="proxy-servers" id={id} />
      ))}
    </Group>
  );
}

function stateColumn(kind: Kind): Column<Pick<Route, 'id' | 'enabled' | 'labels'>> {
  return {
    header: t('Enabled'),
    sort: 'enabled',
    cell: ({ id, enabled, labels }) => (
      <StateSwitch kind={kind} id={id ?? ''} enabled={enabled} labels={labels} />
    ),
  };
}

function trafficColumns(
  figuresOf: ListContext['figuresOf'],
): readonly Column<{ readonly id?: string | undefined }>[] {
  return [
    {
      header: t('Per second'),
      hint: t('Requests per second in the last hour. Only the busiest are counted; the others have a dash.'),
      right: true,
      cell: ({ id }) => {
        const figures = figuresOf(id ?? '');
        return <Figure>{figures && short(figures.perSecond)}</Figure>;
      },
    },
    {
      header: t('Failed'),
      hint: t('The share of requests in the last hour that got a 5xx response, or no response.'),
      right: true,
      cell: ({ id }) => {
        const figures = figuresOf(id ?? '');
        const failed = figures === undefined ? 0 : figures.status5xx + figures.unanswered;
        return (
          <Figure bad={failed > 0}>
            {figures && (figures.requests === 0 ? '–' : percent(failed, figures.requests))}
          </Figure>
        );
      },
    },
  ];
}

function Figure({
  children,
  bad = false,
}: {
  readonly children: string | undefined;
  readonly bad?: boolean;
}) {
  return (
    <Text
      span
      size="sm"
      ff="monospace"
      fw={bad ? 650 : undefined}
      c={children === undefined ? 'dimmed' : bad ? 'var(--mantine-color-error)' : undefined}
    >
      {children ?? '–'}
    </Text>
  );
}

const balancings: Readonly<Record<Balancing, string>> = {
  ROUND_ROBIN: t('Round robin'),
  WEIGHTED_ROUND_ROBIN: t('Weighted round robin'),
  LEAST_REQUESTS: t('Least requests'),
  RANDOM: t('Random'),
  PEAK_EWMA: t('Lowest latency'),
  HASH: t('Hash'),
  BEST_AVAILABLE: t('Best available'),
};

interface SomeProps {
  readonly texts: readonly string[] | undefined;
  readonly none: string;
  readonly max?: number;
}

function Some({ texts, none, max = SHOWN_MAX }: SomeProps) {
  if (texts === undefined || texts.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {none}
      </Text>
    );
  }
  const more = texts.length - max;
  return (
    <span title={texts.join('\n')}>
      <Mono long>{texts.slice(0, max).join(', ')}</Mono>
      {more > 0 && (
        <Text span size="xs" c="dimmed">
          {` ${t('and {more} more', { more: number(more) })}`}
        </Text>
      )}
    </span>
  );
}

function PluginNames({ plugins }: { plugins: Plugins | undefined }) {
  const names = Object.entries(plugins ?? {}).filter(([, plugin]) => plugin !== undefined);
  return names.length === 0 ? (
    <Text size="sm" c="dimmed">
      {t('none')}
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
