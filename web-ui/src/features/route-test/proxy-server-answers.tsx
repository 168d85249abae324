import { Button, Paper, Text, Title } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { BatchOperation, ProxyServer, RouteTestResult } from '#client';
import { DataTable, type Column } from '@/components/data-table';
import { Mono } from '@/components/mono';
import { ResourceLink } from '@/components/resource-link';
import { searchResources } from '@/lib/api/search-resources';
import { testRoute, type RouteTestWish } from '@/lib/api/test-route';
import { t } from '@/locales';
import { translateServer } from '@/locales/server';

/** Of more proxy servers, the first ones are asked. */
const ASKED_MAX = 12;

interface ProxyServerAnswersProps {
  readonly wish: RouteTestWish;
  readonly operations: readonly BatchOperation[] | undefined;
  readonly onWish: (wish: RouteTestWish) => void;
}

interface Answer {
  readonly server: ProxyServer;
  readonly result: RouteTestResult | undefined;
  readonly error: Error | null;
}

/** What each proxy server of HTTP would do, where the port of the request says nothing: in front of Sigma it is often another one. */
export function ProxyServerAnswers({ wish, operations, onWish }: ProxyServerAnswersProps) {
  const all = useQuery(searchResources('proxy-servers', {}, 100)).data?.items ?? [];
  const servers = all
    .filter(
      ({ enabled, protocol = 'HTTP' }) => enabled !== false && (protocol === 'HTTP' || protocol === 'HTTPS'),
    )
    .slice(0, ASKED_MAX);
  const asked = useQueries({
    queries: servers.map(({ id = '' }) => ({
      ...testRoute({ ...wish, proxyServerId: id }, operations),
      retry: false,
    })),
  });
  if (servers.length === 0) {
    return null;
  }
  const answers = servers.map((server, index): Answer => ({
    server,
    result: asked[index]?.data,
    error: asked[index]?.error ?? null,
  }));
  const columns: readonly Column<Answer>[] = [
    {
      header: t('Proxy server'),
      cell: ({ server: { id = '', port } }) => (
        <>
          <ResourceLink kind="proxy-servers" id={id} /> <Mono>{`:${port}`}</Mono>
        </>
      ),
    },
    {
      header: t('Route'),
      cell: ({ result }) =>
        result === undefined ? (
          '…'
        ) : result.routeId === undefined ? (
          t('none')
        ) : (
          <ResourceLink kind="routes" id={result.routeId} />
        ),
    },
    {
      header: t('Answer'),
      cell: ({ result, error }) => (
        <Text size="sm">
          {error?.message ?? (result === undefined ? '…' : translateServer(result.detail))}
        </Text>
      ),
    },
    {
      header: t('Actions'),
      cell: ({ server: { id = '' } }) => (
        <Button
          size="compact-sm"
          variant="light"
          aria-label={t('Show the answer of {id}', { id })}
          onClick={() => onWish({ ...wish, proxyServerId: id })}
        >
          {t('Show')}
        </Button>
      ),
    },
  ];
  return (
    <Paper withBorder p="md" component="section" aria-label={t('Answers of the proxy servers')}>
      <Title order={2} size="h5">
        {t('Answers of the proxy servers')}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t(
          'The port of the URL does not say which proxy server gets the request. Each of them would do this:',
        )}
      </Text>
      <DataTable
        label={t('Answers of the proxy servers')}
        columns={columns}
        rows={answers}
        rowKey={({ server: { id = '' } }) => id}
        minWidth={560}
        dense
      />
    </Paper>
  );
}
