import { Badge } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconClockHour4,
  IconPlugConnectedX,
} from '@tabler/icons-react';
import type { GatewayState } from '#client';

const looks = {
  CURRENT: { color: 'green', Icon: IconCircleCheck, text: 'Current', meaning: 'Serves the newest revision' },
  BEHIND: { color: 'yellow', Icon: IconClockHour4, text: 'Behind', meaning: 'Serves an older revision' },
  REFUSED: {
    color: 'red',
    Icon: IconAlertTriangle,
    text: 'Refused',
    meaning: 'Refused a newer revision and serves its last good one',
  },
  OTHER_HISTORY: {
    color: 'red',
    Icon: IconAlertTriangle,
    text: 'Other history',
    meaning: 'Serves a state that this installation does not know, for example after a database was restored',
  },
  LOST: {
    color: 'gray',
    Icon: IconPlugConnectedX,
    text: 'Lost',
    meaning: 'Has not reported for a while. It may still serve.',
  },
  REVOKED: {
    color: 'red',
    Icon: IconBan,
    text: 'Revoked',
    meaning: 'Shut out: no control plane accepts its certificates',
  },
} as const satisfies Record<GatewayState | 'REVOKED', unknown>;

export function StateBadge({ state }: { state: GatewayState | 'REVOKED' }) {
  const { color, Icon, text, meaning } = looks[state];
  return (
    <Badge
      color={color}
      variant="light"
      tt="none"
      leftSection={<Icon size={13} aria-hidden />}
      title={meaning}
    >
      {text}
    </Badge>
  );
}
