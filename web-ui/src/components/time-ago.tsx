import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { ago } from '@/lib/ago';
import { dateTime, t } from '@/locales';

/** A moment as people say it, kept up to date; the exact time is in the tooltip. */
export function TimeAgo({ at }: { at: string }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={at} title={dateTime(at)}>
      {ago(new Date(at).getTime(), now)}
    </time>
  );
}

/** When something happened, in a table; undefined when it never did. */
export function LastTime({ at }: { at: string | undefined }) {
  return (
    <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
      {at === undefined ? t('never') : <TimeAgo at={at} />}
    </Text>
  );
}
