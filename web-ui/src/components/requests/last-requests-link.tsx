import { Button } from '@mantine/core';
import { IconActivity } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { TrafficSubject } from '@/lib/api/get-traffic';
import { t } from '@/locales';

/** Leads from figures to the requests that they count. */
export function LastRequestsLink({ kind, id }: TrafficSubject) {
  return (
    <Button
      variant="default"
      leftSection={<IconActivity size={16} aria-hidden />}
      renderRoot={(props) => (
        <Link
          {...props}
          to="/requests"
          search={kind === 'route' ? { route: id } : kind === 'gateway' ? { gateway: id } : {}}
        />
      )}
    >
      {t('Last requests')}
    </Button>
  );
}
