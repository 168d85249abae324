import {
  Anchor,
  Button,
  Group,
  Paper,
  SegmentedControl,
  Select,
  SimpleGrid,
  Stack,
  Text,
  Title,
} from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { TrafficFigures, TrafficRank } from '#client';
import { DataTable, type Column } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { ReferenceInput } from '@/components/form/reference-input';
import { PageHeader } from '@/components/page-header';
import { QueryView } from '@/components/query-view';
import { TimeChart } from '@/components/time-chart';
import {
  getTopTraffic,
  getTraffic,
  trafficKinds,
  type TrafficKind,
  type TrafficSlot,
  type TrafficSlots,
  type TrafficSpan,
  type TrafficSubject,
} from '@/lib/api/get-traffic';
import { listGateways } from '@/lib/api/list-gateways';
import { bytes, millis, short } from '@/lib/figures';

const SLOTS_SHOWN = 20;

export interface TrafficView extends TrafficSubject {
  readonly span?: TrafficSpan;
}

interface TrafficPageProps {
  readonly view: TrafficView;
  readonly onView: (view: TrafficView) => void;
}

/** Returns the view that an address names; what it does not know is left out. */
export function trafficViewOf(search: Readonly<Record<string, unknown>>): TrafficView {
  const { id } = search;
  return {
    kind: trafficKinds.find((kind) => kind === search.kind),
    id: typeof id === 'string' || typeof id === 'number' ? String(id) || undefined : undefined,
    span: search.span === 'day' ? 'day' : undefined,
  };
}

export function TrafficPage({ view, onView }: TrafficPageProps) {
  const { kind, id, span = 'hour' } = view;
  const query = useQuery(getTraffic({ kind, id }, span));
  return (
    <>
      <PageHeader
        title="Traffic"
        subtitle={
          kind === 'upstream' && id !== undefined
            ? 'Calls to the nodes of the upstream, up to the head of the answer.'
            : 'Requests up to the end of the response.'
        }
        actions={
          <SegmentedControl
            aria-label="Span"
            value={span}
            onChange={(value) => onView({ ...view, span: value === 'day' ? 'day' : undefined })}
            data={[
              { value: 'hour', label: 'Last hour' },
              { value: 'day', label: 'Last day' },
            ]}
          />
        }
      />
      <Subject view={view} onView={onView} />
      <Stack gap="md">
        <QueryView query={query}>
          {(traffic) =>
            traffic.total.requests === 0 ? (
              <Paper withBorder>
                <EmptyState title="Nothing came">
                  No {kind === 'upstream' ? 'call was made' : 'request came'} in the last {span}. Figures
                  arrive every five seconds.
                </EmptyState>
              </Paper>
            ) : (
              <Figures traffic={traffic} />
            )
          }
        </QueryView>
        <Top kind={kind ?? 'route'} span={span} view={view} />
      </Stack>
    </>
  );
}

function Subject({ view, onView }: TrafficPageProps) {
  const { kind, id } = view;
  const gateways = useQuery(listGateways).data ?? [];
  const choose = (chosen: string | undefined) => onView({ ...view, id: chosen });
  return (
    <Group mb="md" align="flex-end" gap="sm">
      <SegmentedControl
        aria-label="Of what"
        value={kind ?? 'all'}
        onChange={(value) =>
          onView({ span: view.span, kind: trafficKinds.find((one) => one === value), id: undefined })
        }
        data={[
          { value: 'all', label: 'Everything' },
          { value: 'route', label: 'A route' },
          { value: 'upstream', label: 'An upstream' },
          { value: 'gateway', label: 'A gateway' },
        ]}
      />
      {kind === 'gateway' && (
        <Select
          aria-label="Gateway"
          placeholder="Any gateway"
          data={[...new Set([...gateways.map((gateway) => gateway.id), ...(id === undefined ? [] : [id])])]}
          value={id ?? null}
          onChange={(value) => choose(value ?? undefined)}
          clearable
        />
      )}
      {(kind === 'route' || kind === 'upstream') && (
        <ReferenceInput
          key={kind}
          kind={kind === 'route' ? 'routes' : 'upstreams'}
          aria-label={kind === 'route' ? 'Route' : 'Upstream'}
          value={id ?? ''}
          onChange={choose}
          clearable
          hideLink
        />
      )}
    </Group>
  );
}

const green = 'var(--sigma-chart-green)';
const blue = 'var(--sigma-chart-blue)';
const yellow = 'var(--sigma-chart-yellow)';
const red = 'var(--sigma-chart-red)';
const gray = 'var(--sigma-chart-gray)';

function Figures({ traffic: { slots, slotSeconds, total } }: { traffic: TrafficSlots }) {
  const times = slots.map(({ at }) => at);
  const of = (figure: (figures: TrafficFigures) => number) => slots.map(({ figures }) => figure(figures));
  const perSecond = (figure: (figures: TrafficFigures) => number) =>
    of((figures) => figure(figures) / slotSeconds);
  const rate = (value: number) => `${short(value)}/s`;
  return (
    <>
      <Text size="sm">
        {short(total.requests)} requests, {short(total.perSecond)} per second; {short(total.status5xx)}{' '}
        answered 5xx, {short(total.unanswered)} not at all; half within {millis(total.p50Millis)}, 99 % within{' '}
        {millis(total.p99Millis)}; {bytes(total.bytesIn)} in, {bytes(total.bytesOut)} out.
      </Text>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <TimeChart
          title="Rate"
          times={times}
          format={rate}
          series={[{ name: 'requests', color: blue, values: of(({ perSecond: value }) => value) }]}
        />
        <TimeChart
          title="Status classes"
          times={times}
          format={rate}
          stacked
          series={[
            { name: '2xx', color: green, values: perSecond(({ status2xx }) => status2xx) },
            { name: '3xx', color: blue, values: perSecond(({ status3xx }) => status3xx) },
            { name: '4xx', color: yellow, values: perSecond(({ status4xx }) => status4xx) },
            { name: '5xx', color: red, values: perSecond(({ status5xx }) => status5xx) },
            { name: 'no answer', color: gray, values: perSecond(({ unanswered }) => unanswered) },
          ]}
        />
        <TimeChart
          title="Duration"
          times={times}
          format={millis}
          series={[
            { name: 'p50', color: blue, values: of(({ p50Millis }) => p50Millis) },
            { name: 'p95', color: yellow, dash: '6 3', values: of(({ p95Millis }) => p95Millis) },
            { name: 'p99', color: red, dash: '2 2', values: of(({ p99Millis }) => p99Millis) },
          ]}
        />
        <TimeChart
          title="Bytes"
          times={times}
          format={(value) => `${bytes(value)}/s`}
          series={[
            { name: 'in', color: green, dash: '6 3', values: perSecond(({ bytesIn }) => bytesIn) },
            { name: 'out', color: blue, values: perSecond(({ bytesOut }) => bytesOut) },
          ]}
        />
      </SimpleGrid>
      <SlotTable slots={slots} />
    </>
  );
}

const figureColumns: readonly Column<{ readonly figures: TrafficFigures }>[] = [
  { header: 'Requests', right: true, cell: ({ figures }) => short(figures.requests) },
  { header: 'Per second', right: true, cell: ({ figures }) => short(figures.perSecond) },
  { header: '2xx', right: true, cell: ({ figures }) => short(figures.status2xx) },
  { header: '3xx', right: true, cell: ({ figures }) => short(figures.status3xx) },
  { header: '4xx', right: true, cell: ({ figures }) => short(figures.status4xx) },
  { header: '5xx', right: true, cell: ({ figures }) => short(figures.status5xx) },
  { header: 'No answer', right: true, cell: ({ figures }) => short(figures.unanswered) },
  { header: 'p50', right: true, cell: ({ figures }) => millis(figures.p50Millis) },
  { header: 'p95', right: true, cell: ({ figures }) => millis(figures.p95Millis) },
  { header: 'p99', right: true, cell: ({ figures }) => millis(figures.p99Millis) },
  { header: 'In', right: true, cell: ({ figures }) => bytes(figures.bytesIn) },
  { header: 'Out', right: true, cell: ({ figures }) => bytes(figures.bytesOut) },
];

const slotColumns: readonly Column<TrafficSlot>[] = [
  {
    header: 'From',
    cell: ({ at }) => <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleTimeString()}</time>,
  },
  ...figureColumns,
];

/** The figures of the charts, newest first. */
function SlotTable({ slots }: { slots: readonly TrafficSlot[] }) {
  const [all, setAll] = useState(false);
  const newest = slots.filter(({ figures }) => figures.requests > 0).toReversed();
  const shown = all ? newest : newest.slice(0, SLOTS_SHOWN);
  return (
    <Paper withBorder>
      <Title order={2} size="h5" p="md" pb={4}>
        The same in figures
      </Title>
      <DataTable
        label="Traffic by time"
        columns={slotColumns}
        rows={shown}
        rowKey={({ at }) => at}
        minWidth={980}
        dense
      />
      {shown.length < newest.length && (
        <Group p="sm">
          <Button size="compact-sm" variant="default" onClick={() => setAll(true)}>
            Show all {newest.length}
          </Button>
        </Group>
      )}
    </Paper>
  );
}

interface TopProps {
  readonly kind: TrafficKind;
  readonly span: TrafficSpan;
  readonly view: TrafficView;
}

function Top({ kind, span, view }: TopProps) {
  const query = useQuery(getTopTraffic(kind, span));
  const title = `Busiest ${kind}s`;
  const columns: readonly Column<TrafficRank>[] = [
    {
      header: kind.charAt(0).toUpperCase() + kind.slice(1),
      cell: ({ id }) => (
        <Anchor
          size="sm"
          renderRoot={(props) => <Link {...props} to="/traffic" search={{ ...view, kind, id }} />}
        >
          {id === 'none' && kind === 'route' ? 'met no route' : id}
        </Anchor>
      ),
    },
    ...figureColumns,
  ];
  return (
    <Paper withBorder>
      <Title order={2} size="h5" p="md" pb={4}>
        {title}
      </Title>
      <QueryView query={query} lines={3}>
        {(ranks) =>
          ranks.length === 0 ? (
            <Text size="sm" c="dimmed" p="md" pt={0}>
              Nothing came.
            </Text>
          ) : (
            <DataTable
              label={title}
              columns={columns}
              rows={ranks}
              rowKey={({ id }) => id}
              minWidth={980}
              dense
            />
          )
        }
      </QueryView>
    </Paper>
  );
}
