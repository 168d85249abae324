import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import type { BatchOperation, RouteTestResult } from '#client';
import { DataTable, type Column } from '@/components/data-table';
import { Mono } from '@/components/mono';
import { ResourceLink } from '@/components/resource-link';
import { listGateways } from '@/lib/api/list-gateways';
import { testRoute, type RouteTestWish } from '@/lib/api/test-route';
import { many, number, t } from '@/locales';

/** Of more gateways, the first ones are asked. */
const ASKED_MAX = 24;

interface GatewayAnswersProps {
  readonly wish: RouteTestWish;
  readonly operations: readonly BatchOperation[] | undefined;
  readonly result: RouteTestResult;
}

interface Answer {
  readonly gatewayId: string;
  readonly result: RouteTestResult | undefined;
  readonly error: Error | null;
}

/** Asks the other gateways the same, and says where they differ. */
export function GatewayAnswers({ wish, operations, result }: GatewayAnswersProps) {
  const gateways = useQuery(listGateways).data ?? [];
  const others = gateways
    .filter(({ id, state }) => id !== result.gatewayId && state !== 'LOST')
    .map(({ id }) => id)
    .slice(0, ASKED_MAX);
  const asked = useQueries({
    queries: others.map((gatewayId) => ({
      ...testRoute({ ...wish, gatewayId }, operations),
      retry: false,
    })),
  });
  if (wish.gatewayId !== undefined || others.length === 0) {
    return null;
  }
  const answers: readonly Answer[] = [
    { gatewayId: result.gatewayId, result, error: null },
    ...others.map((gatewayId, index) => ({
      gatewayId,
      result: asked[index]?.data,
      error: asked[index]?.error ?? null,
    })),
  ];
  const waiting = answers.filter((answer) => answer.result === undefined && answer.error === null).length;
  const differing = answers.some(
    (answer) => answer.error !== null || (answer.result !== undefined && !isAlike(answer.result, result)),
  );
  if (!differing) {
    return (
      <Text size="sm" c="dimmed">
        <IconCircleCheck size={16} color="var(--sigma-good)" style={{ verticalAlign: -3 }} aria-hidden />{' '}
        {waiting > 0
          ? many(waiting, 'Asking {count} more gateway …', 'Asking {count} more gateways …')
          : t('All {count} gateways answer the same.', { count: number(answers.length) })}
      </Text>
    );
  }
  return (
    <Alert color="yellow" icon={<IconAlertTriangle />} title={t('Gateways differ')}>
      <DataTable
        label={t('Answers of the gateways')}
        columns={columns}
        rows={answers}
        rowKey={({ gatewayId }) => gatewayId}
        dense
      />
    </Alert>
  );
}

/** What a client would notice. Revisions may differ while a change is on its way. */
function isAlike(a: RouteTestResult, b: RouteTestResult): boolean {
  return (
    a.outcome === b.outcome &&
    a.status === b.status &&
    a.routeId === b.routeId &&
    a.proxyPassId === b.proxyPassId
  );
}

const words = { FORWARDED: t('forwarded'), ANSWERED: t('answered'), REFUSED: t('refused') } as const;

const columns: readonly Column<Answer>[] = [
  { header: t('Gateway'), cell: ({ gatewayId }) => <Mono>{gatewayId}</Mono> },
  { header: t('Revision'), right: true, cell: ({ result }) => result?.revision ?? '–' },
  {
    header: t('Answer'),
    cell: ({ result, error }) =>
      error !== null
        ? error.message
        : result === undefined
          ? '…'
          : result.status === undefined
            ? words[result.outcome]
            : t('{what} with {status}', { what: words[result.outcome], status: result.status }),
  },
  {
    header: t('Route'),
    cell: ({ result }) =>
      result?.routeId === undefined ? t('none') : <ResourceLink kind="routes" id={result.routeId} />,
  },
];
