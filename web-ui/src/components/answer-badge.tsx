import { Badge } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconClockHour4 } from '@tabler/icons-react';
import type { AnswerKind } from '#client';

const looks = {
  ACK: { color: 'green', Icon: IconCircleCheck, text: 'Acknowledged' },
  NACK: { color: 'red', Icon: IconAlertTriangle, text: 'Refused' },
  PENDING: { color: 'yellow', Icon: IconClockHour4, text: 'No answer yet' },
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
