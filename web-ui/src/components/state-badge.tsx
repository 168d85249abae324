import { Badge } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBan,
  IconCircleCheck,
  IconClockHour4,
  IconPlugConnectedX,
} from '@tabler/icons-react';
import type { GatewayState } from '#client';
import { t } from '@/locales';

const looks = {
  CURRENT: {
    color: 'green',
    Icon: IconCircleCheck,
    get text() {
      return t('Current');
    },
    get meaning() {
      return t('Serves the newest revision');
    },
  },
  BEHIND: {
    color: 'yellow',
    Icon: IconClockHour4,
    get text() {
      return t('Behind');
    },
    get meaning() {
      return t('Serves an older revision');
    },
  },
  REFUSED: {
    color: 'red',
    Icon: IconAlertTriangle,
    get text() {
      return t('Refused');
    },
    get meaning() {
      return t('Refused a newer revision and serves its last good one');
    },
  },
  OTHER_HISTORY: {
    color: 'red',
    Icon: IconAlertTriangle,
    get text() {
      return t('Other history');
    },
    get meaning() {
      return t(
        'Serves a state that this installation does not know, for example after a database was restored',
      );
    },
  },
  LOST: {
    color: 'gray',
    Icon: IconPlugConnectedX,
    get text() {
      return t('Lost');
    },
    get meaning() {
      return t('Has not reported for a while. It may still serve.');
    },
  },
  REVOKED: {
    color: 'red',
    Icon: IconBan,
    get text() {
      return t('Revoked');
    },
    get meaning() {
      return t('Revoked: no control plane accepts the certificates of this gateway');
    },
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
