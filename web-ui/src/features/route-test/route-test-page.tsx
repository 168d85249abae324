import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BatchOperation, RouteTestResult } from '#client';
import { NearestHits } from '@/components/nearest-hits';
import { PageHeader } from '@/components/page-header';
import { QueryView } from '@/components/query-view';
import { GatewayAnswers } from '@/features/route-test/gateway-answers';
import { KnownHosts } from '@/features/route-test/known-hosts';
import { RouteTestForm } from '@/features/route-test/route-test-form';
import { RouteTestOutcome } from '@/features/route-test/route-test-outcome';
import classes from '@/features/route-test/route-test-page.module.css';
import { ProxyServerAnswers } from '@/features/route-test/proxy-server-answers';
import { RoutesOfPath } from '@/features/route-test/routes-of-path';
import { ApiError } from '@/lib/api/api-error';
import { testRoute, type RouteTestWish } from '@/lib/api/test-route';
import { addressOf } from '@/lib/request-in';
import { t } from '@/locales';

interface RouteTestPageProps {
  readonly wish: RouteTestWish;
  readonly onWish: (wish: RouteTestWish) => void;
}

/** Asks a gateway what would become of a request. The question is in the address, so that it can be sent to somebody. */
export function RouteTestPage({ wish, onWish }: RouteTestPageProps) {
  // Not in the address: it can be long, and may hold a secret.
  const [operations, setOperations] = useState<readonly BatchOperation[]>();
  const query = useQuery(testRoute(wish, operations));
  const errors = query.error instanceof ApiError ? (query.error.problem.errors ?? []) : [];
  const isPathAlone = errors.some(({ pointer, code }) => pointer === '/host' && code === 'REQUIRED');
  return (
    <>
      <PageHeader
        title={t('Route tester')}
        subtitle={t(
          'Ask a gateway how it would handle a request. It sends nothing to a node and counts nothing.',
        )}
      />
      <div className={classes.beside}>
        <RouteTestForm
          wish={wish}
          errors={errors}
          pending={query.isFetching}
          onTest={(next, draft) => {
            const sameWish = JSON.stringify(next) === JSON.stringify(wish);
            if (JSON.stringify(draft) !== JSON.stringify(operations)) {
              setOperations(draft);
            } else if (sameWish) {
              void query.refetch();
            }
            if (!sameWish) {
              onWish(next);
            }
          }}
        />
        <div aria-live="polite" className={classes.result}>
          {wish.url === undefined ? (
            <Text size="sm" c="dimmed" p="md">
              {t(
                'The answer shows the matching route, why other routes do not match, the filters, and the request that a node would receive.',
              )}
            </Text>
          ) : isPathAlone ? (
            <RoutesOfPath wish={wish} onWish={onWish} />
          ) : (
            <QueryView query={{ ...query, data: query.isError ? undefined : query.data }}>
              {(result) => (
                <Stack gap="md">
                  <GatewayAnswers wish={wish} operations={operations} result={result} />
                  {isOfAnyServer(wish, result) && (
                    <ProxyServerAnswers wish={wish} operations={operations} onWish={onWish} />
                  )}
                  {result.routeId === undefined && result.proxyServerId !== undefined && (
                    <KnownHosts
                      wish={wish}
                      proxyServerId={result.proxyServerId}
                      onHost={(host) => onWish(withHost(wish, host))}
                    />
                  )}
                  <RouteTestOutcome result={result} draft={operations !== undefined} />
                  {result.routeId === undefined &&
                    result.losers.length === 0 &&
                    /^(https?:|\/)/i.test(wish.url ?? '') && <NearestHits text={questionOf(wish)} />}
                </Stack>
              )}
            </QueryView>
          )}
        </div>
      </div>
    </>
  );
}

/** Whether no proxy server was found by the port, for a request of HTTP. */
function isOfAnyServer({ url = '', proxyServerId }: RouteTestWish, result: RouteTestResult): boolean {
  return proxyServerId === undefined && result.proxyServerId === undefined && /^(https?:\/\/|\/)/i.test(url);
}

function questionOf(wish: RouteTestWish): string {
  return wish.method === undefined ? addressOf(wish) : `${wish.method} ${addressOf(wish)}`;
}

/** Where the address names the host, it is changed there. */
function withHost(wish: RouteTestWish, host: string): RouteTestWish {
  const { url = '' } = wish;
  return wish.host === undefined && /^https?:/i.test(url)
    ? { ...wish, url: url.replace(/^(https?:\/\/)[^/:?#]*/i, `$1${host}`) }
    : { ...wish, host };
}
