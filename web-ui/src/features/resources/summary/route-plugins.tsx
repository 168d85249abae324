import { Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Plugins, Route } from '#client';
import { DataTable, type Column } from '@/components/data-table';
import { Mono } from '@/components/mono';
import { ResourceLink } from '@/components/resource-link';
import { useRouteWay, type RouteWay } from '@/features/resources/summary/route-way';
import { testRoute } from '@/lib/api/test-route';
import { exampleFor } from '@/lib/curl-for';
import { kinds, type Kind } from '@/lib/kinds';
import { listed, t } from '@/locales';

interface Level {
  readonly kind: Kind;
  readonly id: string;
  readonly plugins: Plugins | undefined;
}

interface PluginRow {
  readonly name: string;
  /** Undefined where no gateway said where it runs. */
  readonly place: number | undefined;
  /** The levels that configure it, the one that holds last. */
  readonly levels: readonly Level[];
}

/** The plugins of a route, for a page that knows the route alone. */
export function RoutePluginsTab({ id, route }: { id: string; route: Route }) {
  return <RoutePlugins id={id} route={route} way={useRouteWay(route)} />;
}

/** What runs on the way of a request, in its order, and which level sets it. */
export function RoutePlugins({ id, route, way }: { id: string; route: Route; way: RouteWay }) {
  const { router, proxyServer, pass } = way;
  const known = router !== undefined && proxyServer !== undefined;
  const { request } = exampleFor(route, router ?? {}, proxyServer ?? { port: 80 }, 'localhost');
  const test = useQuery({
    ...testRoute({ ...request, proxyServerId: router?.proxyServerId }),
    enabled: known,
    retry: false,
  }).data;
  // Another route may take the example; its plugins are not these.
  const filters = test?.routeId === id ? test.filters : undefined;
  const levels: readonly Level[] = [
    { kind: 'proxy-servers', id: router?.proxyServerId ?? '', plugins: proxyServer?.plugins },
    { kind: 'routers', id: route.routerId, plugins: router?.plugins },
    { kind: 'routes', id, plugins: route.plugins },
    { kind: 'proxy-passes', id: route.proxyPassId, plugins: pass?.plugins },
  ];
  const rows = rowsOf(levels, filters?.map(({ plugin }) => plugin) ?? []);
  return (
    <Paper withBorder component="section" aria-labelledby="plugins">
      <Title order={2} size="h5" id="plugins" px="md" pt="md">
        {t('Plugins')}
      </Title>
      <Text size="sm" c="dimmed" px="md" pb="xs">
        {rows.length === 0
          ? t('No level configures a plugin.')
          : filters === undefined
            ? t('This is not the order in which the filters run: no gateway has reported the order yet.')
            : t(
                'In the order in which a gateway runs them. The most specific level that sets a plugin wins.',
              )}
      </Text>
      {rows.length > 0 && (
        <DataTable label={t('Plugins')} columns={columns} rows={rows} rowKey={({ name }) => name} dense />
      )}
    </Paper>
  );
}

/** Returns each plugin that a level configures: those that run first, in their order. */
export function rowsOf(levels: readonly Level[], order: readonly string[]): readonly PluginRow[] {
  const names = new Set(levels.flatMap(({ plugins }) => Object.keys(plugins ?? {})));
  const rows = [...names].map((name) => {
    const place = order.indexOf(runsIn(name));
    return {
      name,
      place: place < 0 ? undefined : place + 1,
      levels: levels.filter(({ plugins }) => configOf(plugins, name) !== undefined),
    };
  });
  const last = order.length + 1;
  return rows
    .filter(({ levels: set }) => set.length > 0)
    .toSorted((a, b) => (a.place ?? last) - (b.place ?? last));
}

/** Compression is one filter, whichever codings are on. */
function runsIn(plugin: string): string {
  return ['gzip', 'brotli', 'zstd'].includes(plugin) ? 'compression' : plugin;
}

function configOf(plugins: Plugins | undefined, name: string): object | undefined {
  return (plugins as Readonly<Record<string, object | undefined>> | undefined)?.[name];
}

const columns: readonly Column<PluginRow>[] = [
  { header: '#', width: 40, cell: ({ place }) => place ?? '–' },
  { header: t('Plugin'), cell: ({ name }) => <Mono>{name}</Mono> },
  {
    header: t('Set by'),
    cell: ({ levels }) => {
      const holds = levels.at(-1);
      return (
        holds && (
          <>
            {kinds[holds.kind].singular} <ResourceLink kind={holds.kind} id={holds.id} />
            {levels.length > 1 && (
              <Text size="xs" c="dimmed">
                {t('instead of {levels}', {
                  levels: listed(levels.slice(0, -1).map(({ kind, id }) => `${kinds[kind].singular} ${id}`)),
                })}
              </Text>
            )}
          </>
        )
      );
    },
  },
  {
    header: t('Value'),
    cell: ({ name, levels }) => {
      const value = configOf(levels.at(-1)?.plugins, name);
      return isOff(value) ? <Text size="sm">{t('off here')}</Text> : <Mono long>{textOf(value)}</Mono>;
    },
  },
];

function isOff(value: object | undefined): boolean {
  return value !== undefined && 'enabled' in value && value.enabled === false;
}

function textOf(value: object | undefined): string {
  const fields = Object.entries(value ?? {}).filter(([name]) => name !== 'enabled');
  return fields.length === 0
    ? 'on'
    : fields.map(([name, field]) => `${name}: ${JSON.stringify(field)}`).join(', ');
}
