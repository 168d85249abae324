import { Alert, Badge, Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { MissingRequests } from '#client';
import { EmptyState } from '@/components/empty-state';
import { RequestRows } from '@/components/requests/request-rows';
import { useLastRequests, type FollowedRequests } from '@/components/requests/use-last-requests';
import type { RequestFilter } from '@/lib/api/stream-requests';
import { short } from '@/lib/figures';
import { t } from '@/locales';

interface LastRequestsProps {
  readonly filter: RequestFilter;
  /** Shown when there is no request. */
  readonly empty?: ReactNode;
}

/** The last requests and those that come, as the gateways tell them. */
export function LastRequests({ filter, empty }: LastRequestsProps) {
  const [paused, setPaused] = useState(false);
  const followed = useLastRequests(filter, paused);
  const { rows, heard, missing, broken } = followed;
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <StateBadge followed={followed} paused={paused} />
          <Text size="sm" c="dimmed">
            {countOf(followed)}
          </Text>
        </Group>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={
            paused ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />
          }
          onClick={() => setPaused(!paused)}
        >
          {t(paused ? 'Resume' : 'Pause')}
        </Button>
      </Group>
      {missing.length > 0 && (
        <Alert color="yellow" variant="light" p="xs">
          {missing.map(reasonOf).join(' ')}
        </Alert>
      )}
      <Paper withBorder style={{ overflow: 'hidden' }}>
        {rows.length > 0 ? (
          <RequestRows rows={rows} label={t('Last requests')} />
        ) : heard || paused ? (
          (empty ?? (
            <EmptyState title={t('No request yet')}>
              {t('Requests appear here when they have ended.')}
            </EmptyState>
          ))
        ) : broken ? (
          <EmptyState title={t('The stream is interrupted')}>
            {t('The page tries again by itself.')}
          </EmptyState>
        ) : (
          <Stack gap="sm" p="md" role="status" aria-label={t('Loading')}>
            <Skeleton height={18} width="92%" />
            <Skeleton height={18} width="70%" />
            <Skeleton height={18} width="81%" />
          </Stack>
        )}
      </Paper>
    </Stack>
  );
}

function StateBadge({ followed: { live }, paused }: { followed: FollowedRequests; paused: boolean }) {
  return paused ? (
    <Badge color="gray" variant="light" tt="none">
      {t('Paused')}
    </Badge>
  ) : live ? (
    <Badge color="green" variant="dot" tt="none">
      {t('Live')}
    </Badge>
  ) : (
    <Badge color="yellow" variant="dot" tt="none">
      {t('Connecting')}
    </Badge>
  );
}

function countOf({ rows, matched, told }: FollowedRequests): string {
  const shown = t(rows.length === 1 ? '{shown} request' : '{shown} requests', { shown: short(rows.length) });
  return matched > told
    ? t('{requests}. Gateways keep a sample: {told} of {matched} since the page opened.', {
        requests: shown,
        told: short(told),
        matched: short(matched),
      })
    : shown;
}

function reasonOf({ gatewayId, reason }: MissingRequests): string {
  switch (reason) {
    case 'BUSY':
      return t('Gateway {id} keeps a small sample only, because others watch with too many filters.', {
        id: gatewayId,
      });
    case 'NOT_ASKED':
      return t('Gateway {id} was not asked, because there are too many.', { id: gatewayId });
    default:
      return t('Gateway {id} does not answer.', { id: gatewayId });
  }
}
