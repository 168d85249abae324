import { Group, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { GatewayAck, RevisionAcks } from '#client';
import { AnswerBadge } from '@/components/answer-badge';
import { DataTable, type Column } from '@/components/data-table';
import { Mono } from '@/components/mono';
import { QueryView } from '@/components/query-view';
import { RefusalText } from '@/components/refusal-text';
import { getRevisionAcks, isPending } from '@/lib/api/get-revision-acks';
import { useFallBackInterval } from '@/lib/liveness';
import { t } from '@/locales';

const PENDING_REFRESH_MILLIS = 2_000;

const columns: readonly Column<GatewayAck>[] = [
  {
    header: t('Gateway'),
    cell: ({ gatewayId, live }) => (
      <>
        <Mono whole>{gatewayId}</Mono>
        {!live && (
          <Text size="xs" c="dimmed">
            {t('no report lately')}
          </Text>
        )}
      </>
    ),
  },
  {
    header: t('Answer'),
    cell: ({ answer, refusal }) => (
      <>
        <AnswerBadge answer={answer} />
        {refusal !== undefined && <RefusalText refusal={refusal} />}
      </>
    ),
  },
  { header: t('With revision'), right: true, cell: ({ answerRevision }) => answerRevision ?? '—' },
  {
    header: t('After the commit'),
    right: true,
    cell: ({ answer, millis }) => (answer === 'PENDING' || millis === undefined ? '—' : spanOf(millis)),
  },
  { header: t('Revisions behind'), right: true, cell: ({ lag }) => lag },
];

/** What each gateway said to a revision. */
export function AcksCard({ number }: { number: number }) {
  const fallBack = useFallBackInterval(PENDING_REFRESH_MILLIS);
  const query = useQuery({
    ...getRevisionAcks(number),
    refetchInterval: ({ state }) => isPending(state.data) && fallBack,
  });
  return (
    <Paper withBorder component="section" aria-labelledby="acks">
      <Group justify="space-between" p="md" pb="xs">
        <Title order={2} size="h5" id="acks">
          {t('Gateways')}
        </Title>
        {query.data && (
          <Text size="sm" c="dimmed" role="status">
            {summaryOf(query.data)}
          </Text>
        )}
      </Group>
      <QueryView query={query} lines={2}>
        {({ gateways }) =>
          gateways.length === 0 ? (
            <Text size="sm" c="dimmed" p="md" pt={0}>
              {t('No gateway was connected, or the answers are no longer stored.')}
            </Text>
          ) : (
            <DataTable
              label={t('Answers and votes of gateways')}
              columns={columns}
              rows={gateways}
              rowKey={({ gatewayId }) => gatewayId}
            />
          )
        }
      </QueryView>
    </Paper>
  );
}

function summaryOf({ acknowledged, refused, pending }: RevisionAcks): string {
  return [
    t('{acknowledged} acknowledged', { acknowledged }),
    ...(refused > 0 ? [t('{refused} refused', { refused })] : []),
    ...(pending > 0 ? [t('{pending} without an answer', { pending })] : []),
  ].join(', ');
}

function spanOf(millis: number): string {
  return millis < 10_000 ? t('{millis} ms', { millis }) : `${Math.round(millis / 1000)} s`;
}
