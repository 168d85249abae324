import { Button, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Route } from '#client';
import type { Column } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { Mono } from '@/components/mono';
import { NearestHits } from '@/components/nearest-hits';
import { ResourceLink } from '@/components/resource-link';
import { TableCard } from '@/components/table-card';
import { exampleOf } from '@/features/route-test/nearest-hosts';
import { useResourcesById } from '@/lib/api/resources-by-id';
import { search } from '@/lib/api/search';
import type { RouteTestWish } from '@/lib/api/test-route';
import { plainRequest } from '@/lib/plain-request';
import { t } from '@/locales';

const SHOWN_MAX = 20;
/** What a router of any host takes, too. */
const ANY_HOST = 'localhost';

interface RoutesOfPathProps {
  readonly wish: RouteTestWish;
  readonly onWish: (wish: RouteTestWish) => void;
}

/** Which routes take a path, for somebody who does not know the host. */
export function RoutesOfPath({ wish, onWish }: RoutesOfPathProps) {
  const { url = '' } = plainRequest(wish);
  const [path = ''] = url.split(/[?#]/, 1);
  const found = useQuery(search(path.slice(0, 256), SHOWN_MAX));
  const ids = found.data?.items.flatMap(({ kind, id }) => (kind === 'ROUTE' ? [id] : []));
  const known = useResourcesById('routes', ids ?? []);
  const routers = useResourcesById(
    'routers',
    [...known.values()].map(({ routerId }) => routerId),
  );
  const routes = ids?.flatMap((id) => known.get(id) ?? []);
  const columns: readonly Column<Route>[] = [
    { header: t('Route'), cell: ({ id = '' }) => <ResourceLink kind="routes" id={id} /> },
    {
      header: t('Path'),
      cell: ({ path: own, methods = [] }) => (
        <>
          <Mono long>{own}</Mono>
          <Text size="xs" c="dimmed">
            {methods.length === 0 ? t('all methods') : methods.join(', ')}
          </Text>
        </>
      ),
    },
    {
      header: t('Hosts'),
      cell: ({ routerId }) => {
        const hosts = routers.get(routerId)?.hosts ?? [];
        return (
          routers.has(routerId) && <Mono long>{hosts.length === 0 ? t('any host') : hosts.join(', ')}</Mono>
        );
      },
    },
    {
      header: t('Actions'),
      cell: ({ routerId }) => {
        const router = routers.get(routerId);
        const host = exampleOf(router?.hosts?.[0] ?? ANY_HOST);
        return (
          router !== undefined && (
            <Button
              size="compact-sm"
              variant="light"
              onClick={() => onWish({ ...wish, host, proxyServerId: router.proxyServerId })}
            >
              {t('Test with {host}', { host })}
            </Button>
          )
        );
      },
    },
  ];
  return (
    <Paper component="section" aria-label={t('Routes of this path')} p="md" withBorder>
      <Title order={2} size="h5">
        {t('Routes of this path')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t(
          'Which of them takes the request depends on its host and the case of the path. Choose a host, or enter one.',
        )}
      </Text>
      <TableCard
        query={{
          data: routes === undefined || known.size < (ids?.length ?? 0) ? undefined : routes,
          error: found.error,
          refetch: found.refetch,
        }}
        label={t('Routes of this path')}
        columns={columns}
        rowKey={({ id = '' }) => id}
        minWidth={520}
        dense
        empty={
          <EmptyState title={t('No route takes this path')}>
            {t('No path of a route matches it, and no resource contains it.')}
          </EmptyState>
        }
      />
      <NearestHits text={path} />
    </Paper>
  );
}
