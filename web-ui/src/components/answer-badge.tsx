import { Badge } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconClockHour4 } from '@tabler/icons-react';
import type { AnswerKind } from '#client';
import { t } from '@/locales';

const looks = {
  ACK: { color: 'green', Icon: IconCircleCheck, text: t('Acknowledged') },
  NACK: { color: 'red', Icon: IconAlertTriangle, text: t('Refused') },
  PENDING: { color: 'yellow', Icon: IconClockHour4, text: t('No answer yet') },
} as const satisfies Record<AnswerKind, unknown>;

export function AnswerBadge({ answer }: { answer: AnswerKind }) {
  const { color, Icon, text } = looks[answer];
  return (
    <Badge
      color={color}
      variant="light"
      tt="none"
      miw="max-content"
      leftSection={<Icon size={13} aria-hidden />}
    >
      {text}
    </Badge>
  );
}
