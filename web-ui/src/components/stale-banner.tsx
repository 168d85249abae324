import { Button } from '@mantine/core';
import { IconCloudOff } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import classes from '@/components/stale-banner.module.css';
import { getHealth } from '@/lib/api/get-health';
import { useReachable } from '@/lib/reachability';
import { t } from '@/locales';

const POLL_MILLIS = 3_000;

/** Says that the page is old while the control plane is away, asks for it, and refreshes everything when it is back. */
export function StaleBanner() {
  const reachable = useReachable();
  const client = useQueryClient();
  const health = useQuery({ ...getHealth, enabled: !reachable, refetchInterval: POLL_MILLIS, staleTime: 0 });

  useEffect(() => {
    if (!reachable) {
      return () => void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'health' });
    }
    return undefined;
  }, [reachable, client]);

  if (reachable) {
    return null;
  }
  return (
    <div className={classes.banner} role="alert">
      <IconCloudOff size={18} aria-hidden />
      <span>
        {t(
          'The control plane is unreachable. The page shows the data that were loaded last. Gateways continue to serve.',
        )}
      </span>
      <Button
        size="compact-sm"
        variant="default"
        loading={health.isFetching}
        onClick={() => void health.refetch()}
      >
        {t('Try now')}
      </Button>
    </div>
  );
}
