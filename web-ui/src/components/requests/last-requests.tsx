import { Alert, Badge, Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { MissingRequests } from '#client';
import { EmptyState } from '@/components/empty-state';
import { RequestRows } from '@/components/requests/request-rows';
import { useLastRequests, type FollowedRequests } from '@/components/requests/use-last-requests';
import type { RequestFilter } from '@/lib/api/stream-requests';
import { short } from '@/lib/figures';

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
          {paused ? 'Resume' : 'Pause'}
        </Button>
      </Group>
      {missing.length > 0 && (
        <Alert color="yellow" variant="light" p="xs">
          {missing.map(reasonOf).join(' ')}
        </Alert>
      )}
      <Paper withBorder style={{ overflow: 'hidden' }}>
        {rows.length > 0 ? (
          <RequestRows rows={rows} label="Last requests" />
        ) : heard || paused ? (
          (empty ?? <EmptyState title="No request yet">Requests appear here when they are over.</EmptyState>)
        ) : broken ? (
          <EmptyState title="The stream is interrupted">The page tries again by itself.</EmptyState>
        ) : (
          <Stack gap="sm" p="md" role="status" aria-label="Loading">
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
      Paused
    </Badge>
  ) : live ? (
    <Badge color="green" variant="dot" tt="none">
      Live
    </Badge>
  ) : (
    <Badge color="yellow" variant="dot" tt="none">
      Connecting
    </Badge>
  );
}

function countOf({ rows, matched, told }: FollowedRequests): string {
  const shown = `${short(rows.length)} ${rows.length === 1 ? 'request' : 'requests'}`;
  return matched > told
    ? `${shown}. Gateways keep a sample: ${short(told)} of ${short(matched)} since the page opened.`
    : shown;
}

function reasonOf({ gatewayId, reason }: MissingRequests): string {
  switch (reason) {
    case 'BUSY':
      return `Gateway ${gatewayId} keeps a small sample only, because others watch with too many filters.`;
    case 'NOT_ASKED':
      return `Gateway ${gatewayId} was not asked, because there are too many.`;
    default:
      return `Gateway ${gatewayId} does not answer.`;
  }
}
