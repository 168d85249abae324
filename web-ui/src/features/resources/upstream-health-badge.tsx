import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getUpstreamHealth } from '@/lib/api/get-upstream-health';
import { commas, t } from '@/locales';

/** How many nodes of an upstream take requests, in one word. */
export function UpstreamHealthBadge({ id }: { id: string }) {
  // A list has many of them, so it waits for the event stream to tell of changes.
  const { data } = useQuery({ ...getUpstreamHealth(id), refetchInterval: false });
  const nodes = data?.nodes ?? [];
  if (nodes.length === 0) {
    return null;
  }
  const usable = nodes.filter(({ state }) => state === 'HEALTHY' || state === 'UNKNOWN').length;
  const checked = nodes.some(({ state }) => state !== 'UNKNOWN');
  // Green is for what somebody checked.
  const color = !checked ? 'gray' : usable === nodes.length ? 'green' : usable === 0 ? 'red' : 'yellow';
  return (
    <Badge
      color={color}
      variant="light"
      tt="none"
      title={checked ? t('Nodes that get requests') : t('Nodes that get requests. They were not checked.')}
    >
      {commas([
        t('{part} of {all}', { part: usable, all: nodes.length }),
        ...(checked ? [] : [t('not checked')]),
        ...(data?.disagreement === true ? [t('gateways differ')] : []),
      ])}
    </Badge>
  );
}
