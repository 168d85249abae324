import { Button, Group, Paper, Switch, Text } from '@mantine/core';
import { useElementSize, useViewportSize } from '@mantine/hooks';
import { IconArrowRight, IconSearch, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { EmptyState } from '@/components/empty-state';
import { Filters } from '@/components/filters';
import { Mono } from '@/components/mono';
import { PageHeader } from '@/components/page-header';
import { QueryView } from '@/components/query-view';
import { pluralOf, singularOf } from '@/components/topology/stop-box';
import { TopologyDrawing } from '@/components/topology/topology-drawing';
import { useFlows } from '@/components/topology/use-flows';
import { TypedFilter } from '@/components/typed-filter';
import { Legend } from '@/features/topology/legend';
import classes from '@/features/topology/topology-page.module.css';
import { atOf, keyAt, type TopologyView } from '@/features/topology/topology-view';
import { getTopology, type Loaded } from '@/lib/api/get-topology';
import { latestRevisions } from '@/lib/api/list-revisions';
import {
  connectedTo,
  cutTo,
  lanes,
  matching,
  topologyOf,
  type Flow,
  type Stop,
  type Topology,
} from '@/lib/topology';
import { EXPOSED, useMayWrite } from '@/lib/session';
import { listed, number, rich, t } from '@/locales';

/** However often revisions come, the topology is loaded with a pause between: this, and more for what takes long. */
const PAUSE_MILLIS = 4_000;
const PAUSE_MILLIS_EACH = 6;
/** What stands above and below the lanes on a screen. */
const AROUND_PIXELS = 330;
const HEIGHT_MIN = 380;

interface TopologyPageProps {
  readonly view: TopologyView;
  readonly onView: (view: TopologyView) => void;
}

/** Where requests go: from proxy servers over routes to nodes, with how many and how well. */
export function TopologyPage({ view, onView }: TopologyPageProps) {
  const query = useLoaded();
  return (
    <div data-wide>
      <PageHeader
        title={t('Topology')}
        subtitle={t('Where requests go: which proxy server takes them, and which nodes answer.')}
      />
      <QueryView query={query}>{(loaded) => <Shown loaded={loaded} view={view} onView={onView} />}</QueryView>
    </div>
  );
}

/** Loads the topology, and again after revisions. */
function useLoaded() {
  const query = useQuery(getTopology);
  const { data, dataUpdatedAt, refetch } = query;
  const newest = useQuery(latestRevisions).data?.[0]?.number;
  useEffect(() => {
    if (data === undefined || data.coming === true || newest === undefined || data.revision === newest) {
      return undefined;
    }
    const pause = PAUSE_MILLIS + PAUSE_MILLIS_EACH * data.routes.length;
    const waiting = window.setTimeout(() => void refetch(), Math.max(0, dataUpdatedAt + pause - Date.now()));
    return () => window.clearTimeout(waiting);
  }, [data, dataUpdatedAt, newest, refetch]);
  return query;
}

function Shown({ loaded, view, onView }: TopologyPageProps & { readonly loaded: Loaded }) {
  const all = useMemo(() => topologyOf(loaded), [loaded]);
  const { flows, seconds } = useFlows(all);
  const { q, failing } = view;
  const at = keyAt(view);
  const chosen = at === undefined ? undefined : all.stops.get(at);
  const topology = useMemo(() => narrowed(all, flows, { at, q, failing }), [all, flows, at, q, failing]);
  const { height } = useViewportSize();
  const { ref, height: above } = useElementSize();
  const mayExpose = useMayWrite()(...EXPOSED);
  if (all.stops.size === 0) {
    return (
      <EmptyState
        title={t('Nothing is configured yet')}
        action={
          mayExpose && (
            <Button renderRoot={(props) => <Link {...props} to="/expose" />}>{t('Expose a service')}</Button>
          )
        }
      >
        {t('Expose a service. This page then shows the way of its requests.')}
      </EmptyState>
    );
  }
  return (
    <>
      <div ref={ref}>
        <Filters filter={{ failing }}>
          <TypedFilter
            type="search"
            label={t('Search')}
            placeholder={t('Id, host, path or node')}
            leftSection={<IconSearch size={16} />}
            value={q}
            onChange={(next) => onView({ ...view, q: next })}
            w={280}
          />
          <Switch
            label={t('Only what fails')}
            checked={failing === true}
            onChange={(event) => onView({ ...view, failing: event.currentTarget.checked ? true : undefined })}
            mb={8}
          />
        </Filters>
        {at !== undefined && (
          <Chosen at={at} stop={chosen} onClear={() => onView({ ...view, at: undefined })} />
        )}
        {loaded.coming && (
          <Text size="sm" c="dimmed" mb="sm" role="status">
            {t('More resources are being loaded. The drawing shows the first of each kind.')}
          </Text>
        )}
        {!loaded.whole && (
          <Text size="sm" c="dimmed" mb="sm">
            {t('There are too many resources for one drawing. It shows the first of each kind.')}
          </Text>
        )}
      </div>
      <p className={classes.said} role="status">
        {listed(
          lanes.map((lane) =>
            t('{count} {kind}', {
              count: number(topology.order[lane].length),
              kind: topology.order[lane].length === 1 ? singularOf(lane).toLowerCase() : pluralOf(lane),
            }),
          ),
        )}
      </p>
      {topology.stops.size === 0 ? (
        <EmptyState title={failing === true ? t('No failing resource') : t('Nothing matches')}>
          <Button variant="default" onClick={() => onView({})}>
            {t('Show everything')}
          </Button>
        </EmptyState>
      ) : (
        <Paper withBorder p="md">
          <TopologyDrawing
            topology={topology}
            flows={flows}
            seconds={seconds}
            selected={at}
            onSelect={(key) => onView({ ...view, at: atOf(key) })}
            heightMax={Math.max(HEIGHT_MIN, height - AROUND_PIXELS - Math.max(0, above - 70))}
            label={t('Topology')}
          />
          <Legend />
        </Paper>
      )}
    </>
  );
}

interface Narrowing {
  readonly at: string | undefined;
  readonly q: string | undefined;
  readonly failing: true | undefined;
}

/** Each condition leaves whole ways: what matches, all that leads there, and all that it leads to. */
function narrowed(all: Topology, flows: ReadonlyMap<string, Flow>, { at, q, failing }: Narrowing): Topology {
  let shown = all;
  if (at !== undefined && all.stops.has(at)) {
    shown = cutTo(shown, connectedTo(shown, [at]));
  }
  if (failing === true) {
    const routes = shown.order.routes.filter((key) => (flows.get(key)?.failed ?? 0) > 0);
    shown = cutTo(shown, connectedTo(shown, routes));
  }
  if (q !== undefined) {
    shown = cutTo(shown, connectedTo(shown, matching(shown, q)));
  }
  return shown;
}

/** What was chosen, and where to go from there. */
function Chosen({ at, stop, onClear }: { at: string; stop: Stop | undefined; onClear: () => void }) {
  const clear = (
    <Button size="compact-sm" variant="default" leftSection={<IconX size={14} />} onClick={onClear}>
      {t('Show everything')}
    </Button>
  );
  if (stop === undefined) {
    return (
      <Group gap="sm" mb="sm">
        <Text size="sm">{rich('No resource has the name {name}.', { name: <Mono>{atOf(at)}</Mono> })}</Text>
        {clear}
      </Group>
    );
  }
  const page =
    stop.lane === 'nodes'
      ? ({ to: '/upstreams/$id/health', params: { id: stop.upstreamIds[0] ?? '' } } as const)
      : ({ to: '/$kind/$id', params: { kind: stop.lane, id: stop.id } } as const);
  return (
    <Group gap="sm" mb="sm">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {rich('Only the ways through {kind} {id}', {
          kind: singularOf(stop.lane).toLowerCase(),
          id: <Mono>{stop.id}</Mono>,
        })}
      </Text>
      <Button
        size="compact-sm"
        variant="light"
        rightSection={<IconArrowRight size={14} />}
        renderRoot={(props) => <Link {...props} {...page} />}
      >
        {stop.lane === 'nodes' ? t('Open its health') : t('Open its page')}
      </Button>
      {clear}
    </Group>
  );
}
