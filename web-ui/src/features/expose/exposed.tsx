import { Alert, Anchor, Button, Group, Loader, Paper, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheckFilled, IconKey } from '@tabler/icons-react';
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { RevisionResult, RouteTestResult } from '#client';
import { CommandLine } from '@/components/command-line';
import { Mono } from '@/components/mono';
import { ResourceLink } from '@/components/resource-link';
import { RevisionNotice } from '@/components/revision-notice';
import { revisionOutcome } from '@/components/revision-outcome';
import type { ExposePlan } from '@/features/expose/expose-plan';
import { getTraffic } from '@/lib/api/get-traffic';
import { listGateways } from '@/lib/api/list-gateways';
import { testRoute } from '@/lib/api/test-route';
import { curlFor, exampleFor, type ExampleRequest } from '@/lib/curl-for';
import { short } from '@/lib/figures';
import { rich, t } from '@/locales';
import { translateServer } from '@/locales/server';

/** Reports of traffic come every five seconds. */
const TRAFFIC_POLL_MILLIS = 2_000;
const TEST_POLL_MILLIS = 2_000;
/** The rest is on the page of the gateways. */
const GATEWAYS_ASKED_MAX = 10;

export interface Done {
  readonly plan: ExposePlan;
  readonly revision: RevisionResult;
  readonly key: string | undefined;
}

/** What became of it, how to send the first request, and whether it came. */
export function Exposed({ done: { plan, revision, key }, onAnother }: { done: Done; onAnother: () => void }) {
  const gateways = useQuery(listGateways).data ?? [];
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { request, connectTo } = exampleFor(
    plan.route,
    plan.router,
    plan.proxyServer,
    gateways[0]?.host ?? window.location.hostname,
  );
  const example = key === undefined ? request : { ...request, headers: `X-Api-Key: ${key}` };
  const outcome = revisionOutcome(revision);
  const troubled = outcome.trouble.length > 0;
  return (
    <Stack gap="md">
      <Alert
        color={troubled ? 'red' : 'green'}
        icon={troubled ? <IconAlertTriangle /> : <IconCircleCheckFilled />}
        title={
          <span ref={heading} tabIndex={-1} style={{ outline: 'none' }} role="heading" aria-level={2}>
            {troubled ? t('Stored, but not every gateway serves it') : t('The service is exposed')}
          </span>
        }
      >
        <RevisionNotice outcome={outcome} />
        <Group gap="md" mt={6}>
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link {...props} to="/revisions/$number" params={{ number: String(revision.number) }} />
            )}
          >
            {t('See or undo revision {number}', { number: revision.number })}
          </Anchor>
          <Text size="sm">
            {rich('Route {id}', { id: <ResourceLink kind="routes" id={plan.routeId} /> })}
          </Text>
        </Group>
      </Alert>
      <Paper withBorder p="md" component="section" aria-labelledby="try">
        <Title order={2} size="h5" id="try" mb="xs">
          {t('Send a request')}
        </Title>
        <Group gap="xs" wrap="nowrap">
          <CommandLine>{curlFor({ request: example, connectTo })}</CommandLine>
        </Group>
        {key !== undefined && (
          <Group gap={6} mt="xs" wrap="nowrap">
            <IconKey size={16} aria-hidden style={{ flex: 'none' }} />
            <Text size="sm">
              {t('Copy the key now. Sigma stores only its hash and cannot show it again.')}
            </Text>
          </Group>
        )}
        <FirstRequest routeId={plan.routeId} />
      </Paper>
      <Paper withBorder p="md" component="section" aria-labelledby="asked">
        <Title order={2} size="h5" id="asked">
          {t('Votes of the gateways')}
        </Title>
        <Text size="sm" c="dimmed" mb="xs">
          {t(
            'The control plane asked each gateway how it would handle this request. No gateway sent anything to a node for it.',
          )}
        </Text>
        <Answers
          gatewayIds={gateways.slice(0, GATEWAYS_ASKED_MAX).map(({ id }) => id)}
          routeId={plan.routeId}
          proxyServerId={plan.proxyServer.id ?? ''}
          revision={revision.number}
          example={example}
        />
      </Paper>
      <Group>
        <Button variant="default" onClick={onAnother}>
          {t('Expose another service')}
        </Button>
      </Group>
    </Stack>
  );
}

/** What gateways reported of the route: the only proof that a request went all the way. */
function FirstRequest({ routeId }: { routeId: string }) {
  const { data } = useQuery({
    ...getTraffic({ kind: 'route', id: routeId }, 'hour'),
    refetchInterval: ({ state }) => (state.data?.total.requests ?? 0) === 0 && TRAFFIC_POLL_MILLIS,
  });
  const total = data?.total;
  const came = total !== undefined && total.requests > 0;
  const well = came ? total.status2xx + total.status3xx : 0;
  return (
    <Group gap={8} mt="sm" wrap="nowrap" role="status">
      {came ? (
        <IconCircleCheckFilled
          size={18}
          aria-hidden
          style={{ flex: 'none', color: well > 0 ? 'var(--sigma-good)' : 'var(--sigma-pending)' }}
        />
      ) : (
        <Loader size={16} aria-hidden />
      )}
      <Text size="sm">
        {came
          ? t('Requests came through the gateway: {requests}, {well} of them answered 2xx or 3xx.', {
              requests: short(total.requests),
              well: short(well),
            })
          : t('Waiting for the first request. Gateways report every 5 seconds.')}
      </Text>
    </Group>
  );
}

interface AnswersProps {
  readonly gatewayIds: readonly string[];
  readonly routeId: string;
  readonly proxyServerId: string;
  readonly revision: number;
  readonly example: ExampleRequest;
}

function Answers({ gatewayIds, routeId, proxyServerId, revision, example }: AnswersProps) {
  const answers = useQueries({
    queries: gatewayIds.map((gatewayId) => ({
      ...testRoute({ ...example, proxyServerId, gatewayId }),
      refetchInterval: ({ state }: { state: { data: RouteTestResult | undefined } }) =>
        (state.data?.revision ?? 0) < revision && TEST_POLL_MILLIS,
    })),
  });
  if (gatewayIds.length === 0) {
    return <Text size="sm">{t('No gateway is connected, so no gateway was asked.')}</Text>;
  }
  return (
    <ul style={{ margin: 0, paddingLeft: 20 }}>
      {gatewayIds.map((id, index) => {
        const { data, error } = answers[index] ?? {};
        return (
          <li key={id}>
            <Text size="sm">
              <Mono>{id}</Mono>:{' '}
              {data !== undefined ? wordsOf(data, routeId) : (error?.message ?? t('asking …'))}
            </Text>
          </li>
        );
      })}
    </ul>
  );
}

function wordsOf(result: RouteTestResult, routeId: string): string {
  const { outcome, detail, upstreams, revision } = result;
  if (result.routeId !== routeId) {
    return result.routeId === undefined
      ? translateServer(detail)
      : t('the route {routeId} takes this request instead.', { routeId: result.routeId });
  }
  if (outcome !== 'FORWARDED') {
    return translateServer(detail);
  }
  const nodes = upstreams.flatMap((upstream) => upstream.nodes.filter(({ usable }) => usable));
  return t('forwards it to {nodes} with revision {number}.', {
    nodes: nodes.map(({ url }) => url).join(t(' or ')),
    number: revision,
  });
}
