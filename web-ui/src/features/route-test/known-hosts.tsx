import { Anchor, Button, Group, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Mono } from '@/components/mono';
import { exampleOf, hostOf, isNear, nearestFirst, takes } from '@/features/route-test/nearest-hosts';
import { MATCHES_MAX } from '@/lib/api/list-resources';
import { searchResources } from '@/lib/api/search-resources';
import type { RouteTestWish } from '@/lib/api/test-route';
import { number, rich, t } from '@/locales';

const SHOWN_MAX = 8;

interface KnownHostsProps {
  readonly wish: RouteTestWish;
  readonly proxyServerId: string;
  /** Asks the same with another host. */
  readonly onHost: (host: string) => void;
}

/** Which hosts a proxy server serves, where the host of the request is not one of them. */
export function KnownHosts({ wish, proxyServerId, onHost }: KnownHostsProps) {
  const routers = useQuery(searchResources('routers', { proxyServerId }, MATCHES_MAX)).data?.items;
  const asked = hostOf(wish);
  const hosts = [...new Set(routers?.flatMap((router) => router.hosts ?? []))];
  const anyHost = routers?.some((router) => (router.hosts ?? []).length === 0) ?? true;
  if (asked === undefined || anyHost || hosts.some((host) => takes(host, asked))) {
    return null;
  }
  const [nearest, ...others] = nearestFirst(hosts, asked);
  const near = nearest !== undefined && isNear(nearest, asked) ? nearest : undefined;
  const shown = (near === undefined ? nearestFirst(hosts, asked) : others).slice(0, SHOWN_MAX);
  const more = hosts.length - shown.length - (near === undefined ? 0 : 1);
  return (
    <Paper withBorder p="md" component="section" aria-label={t('Hosts')}>
      <Title order={2} size="h5" mb="xs">
        {t('No router has this host')}
      </Title>
      <Text size="sm">
        {hosts.length === 0 ? t('No router of this proxy server is enabled for any host.') : null}
        {near !== undefined &&
          rich('{host} is not among the hosts. Did you mean this one?', { host: <Mono>{asked}</Mono> })}
        {near === undefined &&
          hosts.length > 0 &&
          rich('{host} is not among the hosts, and none is like it.', { host: <Mono>{asked}</Mono> })}
      </Text>
      {near !== undefined && (
        <Button variant="light" size="compact-sm" mt="xs" onClick={() => onHost(exampleOf(near))}>
          {t('Test {host}', { host: exampleOf(near) })}
        </Button>
      )}
      {shown.length > 0 && (
        <Group gap="xs" mt="sm">
          <Text size="sm" c="dimmed">
            {t(near === undefined ? 'Hosts:' : 'Other hosts:')}
          </Text>
          {shown.map((host) => (
            <Button key={host} variant="default" size="compact-xs" onClick={() => onHost(exampleOf(host))}>
              {host}
            </Button>
          ))}
          {more > 0 && (
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link {...props} to="/$kind" params={{ kind: 'routers' }} search={{ proxyServerId }} />
              )}
            >
              {t('and {number} more', { number: number(more) })}
            </Anchor>
          )}
        </Group>
      )}
    </Paper>
  );
}
