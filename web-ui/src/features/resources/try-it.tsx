import { Anchor, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Route } from '#client';
import { CommandLine } from '@/components/command-line';
import { curlFor, exampleFor } from '@/lib/curl-for';
import { getResource } from '@/lib/api/get-resource';
import { listGateways } from '@/lib/api/list-gateways';
import { t } from '@/locales';

/** A request that this route answers, ready to be pasted. */
export function TryIt({ route }: { route: Route }) {
  const router = useQuery(getResource('routers', route.routerId)).data?.value;
  const proxyServer = useQuery({
    ...getResource('proxy-servers', router?.proxyServerId ?? ''),
    enabled: router !== undefined,
  }).data?.value;
  const gateways = useQuery(listGateways).data;
  if (router === undefined || proxyServer === undefined || gateways === undefined) {
    return null;
  }
  const example = exampleFor(route, router, proxyServer, gateways[0]?.host ?? window.location.hostname);
  return (
    <Group gap="xs" mb="md">
      <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {t('Try it')}
      </Text>
      <CommandLine>{curlFor(example)}</CommandLine>
      <Anchor
        size="sm"
        style={{ whiteSpace: 'nowrap' }}
        renderRoot={(props) => (
          <Link
            {...props}
            to="/route-test"
            search={{ ...example.request, proxyServerId: router.proxyServerId }}
          />
        )}
      >
        {t('Test the route')}
      </Anchor>
    </Group>
  );
}
