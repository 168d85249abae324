import { Badge } from '@mantine/core';
import { IconAlertTriangle, IconCircleX, IconInfoCircle } from '@tabler/icons-react';
import type { Severity } from '#client';
import { t } from '@/locales';

const looks = {
  ERROR: { color: 'red', Icon: IconCircleX, text: t('Error') },
  WARNING: { color: 'yellow', Icon: IconAlertTriangle, text: t('Warning') },
  INFO: { color: 'blue', Icon: IconInfoCircle, text: t('Info') },
} as const satisfies Record<Severity, unknown>;

export function SeverityBadge({ severity }: { severity: Severity }) {
  const { color, Icon, text } = looks[severity];
  return (
    <Badge color={color} variant="light" tt="none" leftSection={<Icon size={13} aria-hidden />}>
      {text}
    </Badge>
  );
}
