import { Badge, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { IconArrowRight, IconCircleCheck, IconCornerDownLeft, IconForbid2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type {
  CandidateNode,
  CandidateUpstream,
  FilterEffect,
  FilterTrial,
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

const outcomes = {
  FORWARDED: { text: 'Forwarded to a node', color: 'green', Icon: IconCircleCheck },
  ANSWERED: { text: 'Answered by the gateway', color: 'sigma', Icon: IconCornerDownLeft },
  REFUSED: { text: 'Refused', color: 'red', Icon: IconForbid2 },
} as const satisfies Record<Outcome, unknown>;

const effects: Readonly<Record<FilterEffect, string>> = {
  PASSES: 'lets it go on',
  ANSWERS: 'answers it',
  RESPONSES_ONLY: 'acts on responses only',
  NOT_TRIED: 'not tried: depends on more than the request',
  NOT_REACHED: 'not reached',
};

export function RouteTestOutcome({ result, draft }: { result: RouteTestResult; draft: boolean }) {
  const { outcome, detail, status, gatewayId, revision, certificateHosts } = result;
  const { text, color, Icon } = outcomes[outcome];
  return (
    <Stack gap="md">
      <Section title="Result" shown>
        <Group gap="xs" mb={6}>
          <Badge color={color} variant="light" tt="none" leftSection={<Icon size={13} aria-hidden />}>
            {text}
          </Badge>
          {status !== undefined && <Badge variant="default">{status}</Badge>}
          <Text size="sm" c="dimmed">
            gateway <Mono>{gatewayId}</Mono>, revision {revision}
            {draft && ' with the draft'}
          </Text>
        </Group>
        <Text size="sm">{detail}</Text>
        <Way result={result} />
        {certificateHosts !== undefined && (
          <Text size="sm" c="dimmed" mt={6}>
            Certificate for {certificateHosts.join(', ')}
          </Text>
        )}
      </Section>
      <Section title="Nodes that may get it" shown={result.upstreams.length > 0}>
        <Stack gap="sm">
          {result.upstreams.map((upstream) => (
            <Candidates key={upstream.upstreamId} upstream={upstream} />
          ))}
        </Stack>
      </Section>
      <Section title="Request to the node" shown={result.request !== undefined}>
        {result.request && <Request request={result.request} />}
      </Section>
      <Section title="Filters, in order" shown={result.filters.length > 0}>
        <DataTable
          label="Filters"
          columns={filterColumns}
          rows={result.filters.map((filter, index) => ({ ...filter, place: index + 1 }))}
          rowKey={({ place }) => place}
          dense
        />
      </Section>
      <Section title="Near misses" shown={result.losers.length > 0}>
        <DataTable
          label="Near misses"
          columns={loserColumns}
          rows={result.losers}
          rowKey={({ routerId, routeId }) => `${routerId} ${routeId}`}
          dense
        />
        {result.furtherLosers > 0 && (
          <Text size="sm" c="dimmed">
            and {result.furtherLosers} more
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
  { header: 'Node', cell: ({ url }) => <Mono whole>{url}</Mono> },
  { header: 'State', cell: ({ state }) => <NodeStateBadge state={state} /> },
  { header: 'May be chosen', cell: ({ usable }) => (usable ? 'yes' : 'no') },
  { header: 'Weight', right: true, cell: ({ weight }) => weight },
  { header: 'Tier', right: true, cell: ({ tier }) => tier },
];

/** What a node of HTTP receives. */
const requestColumns: readonly Column<CandidateNode>[] = [
  { header: 'Host', cell: ({ host }) => <Mono>{host}</Mono> },
  { header: 'Target', cell: ({ target }) => <Mono>{target}</Mono> },
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
          Upstream
        </Text>
        <ResourceLink kind="upstreams" id={upstreamId} />
        {share < 1 && <Text size="sm">gets {Math.round(share * 1000) / 10} % of such requests</Text>}
      </Group>
      <DataTable
        label={`Nodes of ${upstreamId}`}
        columns={nodes.some(({ host }) => host !== '') ? [...nodeColumns, ...requestColumns] : nodeColumns}
        rows={nodes}
        rowKey={({ url }) => url}
        dense
      />
      {furtherNodes > 0 && (
        <Text size="sm" c="dimmed">
          and {furtherNodes} more
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
    ...(furtherHeaders > 0 ? [`… and ${furtherHeaders} more`] : []),
  ];
  return (
    <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
      {lines.join('\n')}
    </Code>
  );
}

const filterColumns: readonly Column<FilterTrial & { readonly place: number }>[] = [
  { header: '#', width: 40, cell: ({ place }) => place },
  { header: 'Plugin', cell: ({ plugin }) => <Mono>{plugin}</Mono> },
  { header: 'Phase', cell: ({ phase }) => phase },
  {
    header: 'What it does',
    cell: ({ effect, status }) => `${effects[effect]}${status === undefined ? '' : ` with ${status}`}`,
  },
  {
    header: 'Configured at',
    cell: ({ origins = [] }) =>
      origins.length === 0
        ? 'added by the gateway'
        : origins.map((origin) => (
            <div key={origin}>
              <Mono>{origin}</Mono>
            </div>
          )),
  },
];

const loserColumns: readonly Column<LosingRoute>[] = [
  { header: 'Route', cell: ({ routeId }) => <ResourceLink kind="routes" id={routeId} /> },
  { header: 'Router', cell: ({ routerId }) => <ResourceLink kind="routers" id={routerId} /> },
  {
    header: 'Why it does not match',
    cell: ({ reasons }) =>
      reasons.map(({ kind, subject, detail }) => (
        <Text key={`${kind} ${subject ?? ''} ${detail}`} size="sm">
          {kind.toLowerCase().replaceAll('_', ' ')}
          {subject !== undefined && (
            <>
              {' '}
              <Mono>{subject}</Mono>
            </>
          )}
          : {detail}
        </Text>
      )),
  },
];
