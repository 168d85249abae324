import { Text } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ProxyPass, ProxyServer, Route, Router, Upstream } from '#client';
import { kindIcons } from '@/components/kind-icons';
import { Mono } from '@/components/mono';
import { NodeStateBadge } from '@/components/node-state-badge';
import { ResourceLink } from '@/components/resource-link';
import { nodeSharesOf, targetOf, type RouteWay } from '@/features/resources/summary/route-way';
import classes from '@/features/resources/summary/way-drawing.module.css';
import { getUpstreamHealth } from '@/lib/api/get-upstream-health';
import { percent } from '@/lib/figures';
import { capitalized, kinds, type Kind } from '@/lib/kinds';

const NODES_SHOWN_MAX = 6;

/** From the proxy server to the nodes: each stop is a link. */
export function WayDrawing({ id, route, way }: { id: string; route: Route; way: RouteWay }) {
  const { router, proxyServer, pass, upstreams } = way;
  const stops: readonly { readonly key: string; readonly boxes: ReactNode }[] = [
    {
      key: 'proxy server',
      boxes: router && (
        <Box kind="proxy-servers" id={router.proxyServerId} off={proxyServer?.enabled === false}>
          {proxyServer && listenerOf(proxyServer)}
        </Box>
      ),
    },
    {
      key: 'router',
      boxes: (
        <Box kind="routers" id={route.routerId} off={router?.enabled === false}>
          {router && hostsOf(router)}
        </Box>
      ),
    },
    {
      key: 'route',
      boxes: (
        <Box kind="routes" id={id} here off={route.enabled === false}>
          {route.path}
        </Box>
      ),
    },
    {
      key: 'proxy pass',
      boxes: (
        <Box kind="proxy-passes" id={route.proxyPassId}>
          {pass && changesOf(pass)}
        </Box>
      ),
    },
    ...(upstreams.length === 0
      ? []
      : [
          {
            key: 'upstream',
            boxes: upstreams.map(({ upstreamId, share, upstream }) => (
              <Box
                key={upstreamId}
                kind="upstreams"
                id={upstreamId}
                aside={upstreams.length > 1 ? percent(share, 1) : undefined}
              >
                <Nodes id={upstreamId} upstream={upstream} />
              </Box>
            )),
          },
        ]),
  ];
  return (
    <ol className={classes.way} aria-label="Way of a request">
      {stops.map(({ key, boxes }, index) => (
        <li key={key} className={classes.step}>
          {index > 0 && <IconArrowRight size={18} className={classes.arrow} aria-hidden />}
          <div className={classes.boxes}>{boxes}</div>
        </li>
      ))}
    </ol>
  );
}

interface BoxProps {
  readonly kind: Kind;
  readonly id: string;
  /** The resource of the page. */
  readonly here?: boolean;
  readonly off?: boolean;
  readonly aside?: string;
  readonly children: ReactNode;
}

function Box({ kind, id, here = false, off = false, aside, children }: BoxProps) {
  const KindIcon = kindIcons[kind];
  return (
    <div className={here ? `${classes.box} ${classes.here}` : classes.box}>
      <Text size="xs" c="dimmed" component="div">
        <KindIcon size={13} aria-hidden style={{ verticalAlign: -2, marginRight: 4 }} />
        {capitalized(kinds[kind].singular)}
        {off && ', disabled'}
        {aside !== undefined && <strong>, {aside}</strong>}
      </Text>
      {here ? <Mono>{id}</Mono> : <ResourceLink kind={kind} id={id} />}
      <Text size="xs" component="div" mt={2}>
        {children}
      </Text>
    </div>
  );
}

function Nodes({ id, upstream }: { id: string; upstream: Upstream | undefined }) {
  const health = useQuery(getUpstreamHealth(id)).data;
  const shares = upstream === undefined ? new Map<string, number>() : nodeSharesOf(upstream);
  const nodes =
    health?.nodes ?? (upstream?.nodes ?? []).map(({ url }) => ({ url, state: 'UNKNOWN' as const }));
  const more = nodes.length - NODES_SHOWN_MAX;
  return (
    <>
      {nodes.slice(0, NODES_SHOWN_MAX).map(({ url, state }) => {
        const share = shares.get(url);
        return (
          <div key={url} className={classes.node}>
            <Mono long>{url}</Mono>
            <NodeStateBadge state={state} />
            {share !== undefined && nodes.length > 1 && <span>{percent(share, 1)}</span>}
          </div>
        );
      })}
      {more > 0 && `and ${more} more`}
      {nodes.length === 0 && 'no node yet'}
    </>
  );
}

function listenerOf({ protocol, host, port }: ProxyServer): string {
  const anywhere = host === undefined || host === '0.0.0.0' || host === '::';
  return `${protocol ?? 'HTTP'} on port ${port}${anywhere ? '' : ` of ${host}`}`;
}

function hostsOf({ hosts = [] }: Router): string {
  return hosts.length === 0 ? 'any host' : hosts.join(', ');
}

function changesOf(pass: ProxyPass): string {
  const { stripPrefix, addPrefix, mirror } = pass;
  const words = [
    ...(pass.upstreamId === undefined && pass.split === undefined ? [targetOf(pass)] : []),
    ...(stripPrefix === undefined ? [] : [`removes ${stripPrefix}`]),
    ...(addPrefix === undefined ? [] : [`adds ${addPrefix}`]),
    ...(mirror === undefined ? [] : [`copies to ${mirror.upstreamId}`]),
  ];
  return words.join(', ');
}
