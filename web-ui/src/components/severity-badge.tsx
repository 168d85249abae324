import { Badge } from '@mantine/core';
import { IconAlertTriangle, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import type { Severity } from '#client';
import { t } from '@/locales';

const looks = {
  ERROR: { color: 'red', Icon: IconCircleX, text: t('Error') },
  WARNING: { color: 'yellow', Icon: IconAlertTriangle, text: t('Warning') },
  INFO: { color: 'blue', Icon: IconInfoCircle, text: t('Info') },
} as const satisfies Record<Severity, unknown>;

interface SeverityBadgeProps {
  readonly severity: Severity;
  /** It stands on a box of its own colour. */
  readonly onColor?: boolean;
}

export function SeverityBadge({ severity, onColor = false }: SeverityBadgeProps) {
  const { color, Icon, text } = looks[severity];
  return (
    <Badge
      color={color}
      variant="light"
      tt="none"
      bg={onColor ? 'var(--mantine-color-body)' : undefined}
      leftSection={<Icon size={13} aria-hidden />}
    >
      {text}
    </Badge>
  );
}
