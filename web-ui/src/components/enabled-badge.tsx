import { Badge } from '@mantine/core';
import { t } from '@/locales';

export function EnabledBadge({ enabled }: { enabled: boolean | undefined }) {
  return enabled === false ? (
    <Badge color="gray" variant="light" tt="none">
      {t('Disabled')}
    </Badge>
  ) : (
    <Badge color="green" variant="light" tt="none">
      {t('Enabled')}
    </Badge>
  );
}
