import { Badge, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconArrowRight, IconCircleCheck, IconCornerDownLeft, IconForbid2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type {
  CandidateNode,
  CandidateUpstream,
  FilterEffect,
  FilterTrial,
  LosingReasonKind,
  LosingRoute,
  RewrittenRequest,
  RouteTestOutcome as Outcome,
  RouteTestResult,
} from '#client';
import { DataTable, type Column } from '@/components/data-table';
import { Mono } from '@/components/mono';
import { NodeStateBadge } from '@/components/node-state-badge';
import { ResourceLink } from '@/components/resource-link';
import { kinds, type Kind } from '@/lib/kinds';
import { number, rich, t } from '@/locales';
import { translateServer } from '@/locales/server';

const outcomes = {
  FORWARDED: { text: t('Forwarded to a node'), color: 'green', Icon: IconCircleCheck },
  ANSWERED: { text: t('Answered by the gateway'), color: 'sigma', Icon: IconCornerDownLeft },
  REFUSED: { text: t('Refused'), color: 'red', Icon: IconForbid2 },
} as const satisfies Record<Outcome, unknown>;

const effects: Readonly<Record<FilterEffect, string>> = {
  PASSES: t('lets it go on'),
  ANSWERS: t('answers it'),
  RESPONSES_ONLY: t('acts on responses only'),
  NOT_TRIED: t('not tried: depends on more than the request'),
  NOT_REACHED: t('not reached'),
};

const reasonNames: Readonly<Record<LosingReasonKind, string>> = {
  DISABLED: t('disabled'),
  HOST: t('host'),
  PATH: t('path'),
  METHOD: t('method'),
  HEADER: t('header'),
  QUERY_PARAMETER: t('query parameter'),
  COOKIE: t('cookie'),
  CLIENT_ADDRESS: t('client address'),
  CONSUMES: t('consumes'),
  PRODUCES: t('produces'),
  LOWER_PRIORITY: t('lower priority'),
  LESS_SPECIFIC: t('less specific'),
};

export function RouteTestOutcome({ result, draft }: { result: RouteTestResult; draft: boolean }) {
  const { outcome, detail, status, gatewayId, revision, certificateHosts } = result;
  const { text, color, Icon } = outcomes[outcome];
  return (
    <Stack gap="md">
      <Section title={t('Result')} shown>
        <Group gap="xs" mb={6}>
          <Badge color={color} variant="light" tt="none" leftSection={<Icon size={13} aria-hidden />}>
            {text}
          </Badge>
          {status !== undefined && <Badge variant="default">{status}</Badge>}
          <Text size="sm" c="dimmed">
            {rich(
              draft
                ? 'gateway {gateway}, revision {revision} with the draft'
                : 'gateway {gateway}, revision {revision}',
              { gateway: <Mono>{gatewayId}</Mono>, revision },
            )}
          </Text>
        </Group>
        <Text size="sm">{translateServer(detail)}</Text>
        <Way result={result} />
        {certificateHosts !== undefined && (
          <Text size="sm" c="dimmed" mt={6}>
            {t('Certificate for {hosts}', { hosts: certificateHosts.join(', ') })}
          </Text>
        )}
      </Section>
      <Section title={t('Nodes that may get it')} shown={result.upstreams.length > 0}>
        <Stack gap="sm">
          {result.upstreams.map((upstream) => (
            <Candidates key={upstream.upstreamId} upstream={upstream} />
          ))}
        </Stack>
      </Section>
      <Section title={t('Request to the node')} shown={result.request !== undefined}>
        {result.request && <Request request={result.request} />}
      </Section>
      <Section title={t('Filters, in order')} shown={result.filters.length > 0}>
        <DataTable
          label={t('Filters')}
          columns={filterColumns}
          rows={result.filters.map((filter, index) => ({ ...filter, place: index + 1 }))}
          rowKey={({ place }) => place}
          dense
        />
      </Section>
      <Section title={t('Near misses')} shown={result.losers.length > 0}>
        <DataTable
          label={t('Near misses')}
          columns={loserColumns}
          rows={result.losers}
          rowKey={({ routerId, routeId }) => `${routerId} ${routeId}`}
          dense
        />
        {result.furtherLosers > 0 && (
          <Text size="sm" c="dimmed">
            {t('and {number} more', { number: number(result.furtherLosers) })}
          </Text>
        )}
      </Section>
    </Stack>
  );
}

function Section({ title, shown, children }: { title: string; shown: boolean; children: ReactNode }) {
  return (
    shown && (
      <Paper withBorder p="md" component="section" aria-label={title}>
        <Title order={2} size="h5" mb="xs">
          {title}
        </Title>
        {children}
      </Paper>
    )
  );
}

/** From the proxy server to the proxy pass, as far as the request comes. */
function Way({ result }: { result: RouteTestResult }) {
  const { proxyServerId, routerId, routeId, proxyPassId } = result;
  const stations = [
    { kind: 'proxy-servers', id: proxyServerId },
    { kind: 'routers', id: routerId },
    { kind: 'routes', id: routeId },
    { kind: 'proxy-passes', id: proxyPassId },
  ] as const satisfies readonly { kind: Kind; id: string | undefined }[];
  const passed = stations.flatMap(({ kind, id }) => (id === undefined ? [] : [{ kind, id }]));
  return (
    <Group gap="xs" mt={6}>
      {passed.map(({ kind, id }, index) => (
        <Group key={kind} gap="xs" wrap="nowrap">
          {index > 0 && <IconArrowRight size={14} aria-hidden />}
          <Text size="sm" c="dimmed">
            {kinds[kind].singular}
          </Text>
          <ResourceLink kind={kind} id={id} />
        </Group>
      ))}
    </Group>
  );
}

const nodeColumns: readonly Column<CandidateNode>[] = [
  { header: t('Node'), cell: ({ url }) => <Mono whole>{url}</Mono> },
  { header: t('State'), cell: ({ state }) => <NodeStateBadge state={state} /> },
  { header: t('May be chosen'), cell: ({ usable }) => t(usable ? 'yes' : 'no') },
  { header: t('Weight'), right: true, cell: ({ weight }) => weight },
  { header: t('Tier'), right: true, cell: ({ tier }) => tier },
];

/** What a node of HTTP receives. */
const requestColumns: readonly Column<CandidateNode>[] = [
  { header: t('Host'), cell: ({ host }) => <Mono>{host}</Mono> },
  { header: t('Target'), cell: ({ target }) => <Mono>{target}</Mono> },
];

function Candidates({
  upstream: { upstreamId, share, nodes, furtherNodes = 0 },
}: {
  upstream: CandidateUpstream;
}) {
  return (
    <div>
      <Group gap="xs" mb={4}>
        <Text size="sm" c="dimmed">
          {t('Upstream')}
        </Text>
        <ResourceLink kind="upstreams" id={upstreamId} />
        {share < 1 && (
          <Text size="sm">
            {t('gets {percent} % of such requests', { percent: number(Math.round(share * 1000) / 10) })}
          </Text>
        )}
      </Group>
      <DataTable
        label={t('Nodes of {id}', { id: upstreamId })}
        columns={nodes.some(({ host }) => host !== '') ? [...nodeColumns, ...requestColumns] : nodeColumns}
        rows={nodes}
        rowKey={({ url }) => url}
        dense
      />
      {furtherNodes > 0 && (
        <Text size="sm" c="dimmed">
          {t('and {number} more', { number: number(furtherNodes) })}
        </Text>
      )}
    </div>
  );
}

function Request({
  request: { method, path, query, headers, furtherHeaders = 0 },
}: {
  request: RewrittenRequest;
}) {
  const lines = [
    `${method} ${path}${query === undefined ? '' : `?${query}`}`,
    ...headers.map(({ name, value }) => `${name}: ${value}`),
    ...(furtherHeaders > 0 ? [t('… and {number} more', { number: number(furtherHeaders) })] : []),
  ];
  return (
    <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      {lines.join('\n')}
    </Code>
  );
}

/** By the names that gateways give the phases. */
const phases: Readonly<Record<string, string>> = {
  OBSERVATION: t('Observation'),
  ADDRESS: t('Address'),
  REDIRECT: t('Redirect'),
  AUTHENTICATION: t('Authentication'),
  AUTHORIZATION: t('Authorization'),
  LIMIT: t('Limits'),
  STAND_IN: t('Stand-in'),
  TRANSFORMATION: t('Transformation'),
  CONTENT: t('Content'),
};

const filterColumns: readonly Column<FilterTrial & { readonly place: number }>[] = [
  { header: '#', width: 40, cell: ({ place }) => place },
  { header: t('Plugin'), cell: ({ plugin }) => <Mono>{plugin}</Mono> },
  { header: t('Phase'), cell: ({ phase }) => phases[phase] ?? phase },
  {
    header: t('What it does'),
    cell: ({ effect, status }) =>
      status === undefined ? effects[effect] : t('{what} with {status}', { what: effects[effect], status }),
  },
  {
    header: t('Configured at'),
    cell: ({ origins = [] }) =>
      origins.length === 0
        ? t('added by the gateway')
        : origins.map((origin) => (
            <div key={origin}>
              <Mono>{origin}</Mono>
            </div>
          )),
  },
];

const loserColumns: readonly Column<LosingRoute>[] = [
  { header: t('Route'), cell: ({ routeId }) => <ResourceLink kind="routes" id={routeId} /> },
  { header: t('Router'), cell: ({ routerId }) => <ResourceLink kind="routers" id={routerId} /> },
  {
    header: t('Why it does not match'),
    cell: ({ reasons }) =>
      reasons.map(({ kind, subject, detail }) => (
        <Text key={`${kind} ${subject ?? ''} ${detail}`} size="sm">
          {reasonNames[kind]}
          {subject !== undefined && (
            <>
              {' '}
              <Mono>{subject}</Mono>
            </>
          )}
          : {translateServer(detail)}
        </Text>
      )),
  },
];
