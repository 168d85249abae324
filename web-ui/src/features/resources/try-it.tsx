import { ActionIcon, Anchor, Code, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Route } from '#client';
import { curlFor, exampleFor } from '@/features/resources/curl-for';
import { getResource } from '@/lib/api/get-resource';
import { listGateways } from '@/lib/api/list-gateways';

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
  const command = curlFor(example);
  return (
    <Group gap="xs" mb="md" wrap="nowrap">
      <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        Try it
      </Text>
      <Code style={{ overflowWrap: 'anywhere' }}>{command}</Code>
      <CopyButton value={command}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? 'Copied' : 'Copy'}>
            <ActionIcon variant="subtle" color="gray" aria-label="Copy the command" onClick={copy}>
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
      <Anchor
        size="sm"
        style={{ whiteSpace: 'nowrap' }}
        renderRoot={(props) => (
          <Link {...props} to="/route-test" search={{ ...example, proxyServerId: router.proxyServerId }} />
        )}
      >
        Test the route
      </Anchor>
    </Group>
  );
}
