import { Anchor, Button, Paper, Stack, Tabs } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCopy, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { Route } from '#client';
import { EmptyState } from '@/components/empty-state';
import { Mono } from '@/components/mono';
import { PageHeader } from '@/components/page-header';
import { QueryView } from '@/components/query-view';
import { StagedNote } from '@/components/staged/staged-note';
import { ResourceWay } from '@/components/topology/resource-way';
import { useNarrow } from '@/components/use-narrow';
import { announceRevision } from '@/components/announce-revision';
import { DeleteDialog } from '@/features/resources/delete-dialog';
import classes from '@/features/resources/resource-page.module.css';
import { ResourceFindings } from '@/features/resources/resource-findings';
import { ResourceForm } from '@/features/resources/resource-form';
import { ResourceHistory } from '@/features/resources/resource-history';
import { ResourceJson } from '@/features/resources/json/resource-json';
import { hasSummary, summaryOf } from '@/features/resources/resource-summaries';
import { tabNames, tabsOf } from '@/features/resources/resource-tabs';
import { ResourceTraffic } from '@/features/resources/resource-traffic';
import { RoutePluginsTab } from '@/features/resources/summary/route-plugins';
import { UpstreamHealth } from '@/features/resources/upstream-health';
import { UsedBy } from '@/features/resources/used-by';
import { ApiError } from '@/lib/api/api-error';
import type { Answer } from '@/lib/api/client';
import { getResource } from '@/lib/api/get-resource';
import { getWay, type WayKind } from '@/lib/api/get-topology';
import { capitalized, kinds, trafficKinds, type Kind, type Resources } from '@/lib/kinds';
import type { ResourceTab } from '@/lib/resource-tab';
import { useReadOnly } from '@/lib/may-change';
import { startOf, unstage, useStagedChange, type StagedChange } from '@/lib/staged';
import { t } from '@/locales';

interface ResourcePageProps<K extends Kind> {
  readonly kind: K;
  readonly id: string;
  /** Undefined shows the first one. */
  readonly tab: ResourceTab | undefined;
  readonly onTab: (tab: ResourceTab | undefined) => void;
  readonly onDone: () => void;
}

/** All about one resource, in tabs: what it does first, its form on Edit. */
export function ResourcePage<K extends Kind>({ kind, id, tab, onTab, onDone }: ResourcePageProps<K>) {
  const { singular, plural } = kinds[kind];
  const query = useQuery(getResource(kind, id));
  const gone = query.error instanceof ApiError && query.error.status === 404;
  const mayCreate = useReadOnly(kind) === undefined;
  const readOnly = useReadOnly(kind, query.data?.value.labels ?? {});
  const change = useStagedChange(kind, id);
  // What was staged is edited on; what is discarded is forgotten by the form, too.
  const staged = change?.body === undefined ? undefined : change;
  const form = staged === undefined ? id : `${id}/staged`;
  const counted = kind === 'routes' ? 'route' : kind === 'upstreams' ? 'upstream' : undefined;
  const tabs = tabsOf(kind);
  const shown = tabs.find((one) => one === tab) ?? tabs[0] ?? 'edit';
  // Where there is a summary, that is where one sees what became of the edit.
  const leave = hasSummary(kind) ? () => onTab('summary') : onDone;
  const parts = useRef<HTMLDivElement>(null);
  const seen = useRef(shown);
  useEffect(() => {
    // What had the focus is gone with its tab.
    const tab = parts.current?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]');
    if (seen.current !== shown && document.activeElement === document.body) {
      tab?.focus();
    }
    // On phones the tabs scroll sideways.
    const list = tab?.parentElement;
    if (tab && list) {
      list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.offsetWidth) / 2;
    }
    seen.current = shown;
  }, [shown]);
  const [deleting, { open: askToDelete, close: closeDialog }] = useDisclosure();
  if (gone && query.data === undefined && change === undefined) {
    return <Missing kind={kind} id={id} />;
  }
  return (
    <>
      <PageHeader
        title={query.data?.value.name ?? id}
        above={
          <Anchor size="xs" renderRoot={(props) => <Link {...props} to="/$kind" params={{ kind }} />}>
            {capitalized(plural)}
          </Anchor>
        }
        subtitle={
          <>
            {capitalized(singular)} <Mono>{id}</Mono>
          </>
        }
        actions={
          <>
            {mayCreate && (
              <>
                <Button
                  variant="default"
                  leftSection={<IconCopy size={16} />}
                  renderRoot={(props) => (
                    <Link {...props} to="/new/$kind" params={{ kind }} search={{ from: id }} />
                  )}
                >
                  {t('Duplicate')}
                </Button>
                {!gone && (
                  <Button
                    variant="default"
                    leftSection={<IconTrash size={16} />}
                    disabled={readOnly !== undefined}
                    title={readOnly}
                    onClick={askToDelete}
                  >
                    {t('Delete')}
                  </Button>
                )}
              </>
            )}
          </>
        }
      />
      <ResourceFindings kind={kind} id={id} />
      <StagedNote kind={kind} id={id} />
      <Tabs
        ref={parts}
        value={shown}
        onChange={(next) => onTab(tabs.find((one) => one === next))}
        keepMounted={false}
      >
        <Tabs.List
          mb="md"
          className={classes.tabs}
          aria-label={t('Parts of {singular} {id}', { singular, id })}
        >
          {tabs.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {tabNames[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <QueryView query={query}>
          {(newest) => (
            <Tabs.Panel value={shown} tabIndex={-1}>
              {shown === 'summary' && summaryOf(kind, { id, resource: newest.value })}
              {shown === 'edit' && (
                <>
                  {kind === 'upstreams' && <UpstreamHealth id={id} />}
                  {isOnTheWay(kind) && <Way kind={kind} id={id} />}
                  <UsedBy kind={kind} id={id} />
                  <EditForm
                    key={form}
                    kind={kind}
                    id={id}
                    newest={newest}
                    staged={staged}
                    gone={gone}
                    onDone={leave}
                  />
                </>
              )}
              {shown === 'plugins' && (
                <Stack gap="md">
                  {isRoute(newest.value) && <RoutePluginsTab id={id} route={newest.value} />}
                  <EditForm
                    key={form}
                    kind={kind}
                    id={id}
                    newest={newest}
                    staged={staged}
                    gone={gone}
                    only="Plugins"
                    onDone={leave}
                  />
                </Stack>
              )}
              {shown === 'traffic' && counted !== undefined && (
                <ResourceTraffic kind={counted} id={id} labels={newest.value.labels ?? {}} />
              )}
              {shown === 'history' && <ResourceHistory kind={kind} id={id} />}
              {shown === 'json' && (
                <ResourceJson key={form} kind={kind} id={id} newest={newest} staged={staged} />
              )}
            </Tabs.Panel>
          )}
        </QueryView>
      </Tabs>
      <DeleteDialog opened={deleting} kind={kind} id={id} onClose={closeDialog} onDeleted={onDone} />
    </>
  );
}

/** There is no such resource, and nothing of it can be shown. */
function Missing({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  const { singular, plural } = kinds[kind];
  return (
    <>
      <PageHeader title={id} subtitle={capitalized(singular)} />
      <EmptyState
        title={t('There is no {singular} {id}', { singular, id })}
        action={
          <Button variant="default" renderRoot={(props) => <Link {...props} to="/$kind" params={{ kind }} />}>
            {t('All {plural}', { plural })}
          </Button>
        }
      >
        {t('It was deleted or renamed, or the address is mistyped.')}
      </EmptyState>
    </>
  );
}

/** Routes show theirs in their summary. */
function isOnTheWay(kind: Kind): kind is WayKind {
  return kind !== 'routes' && trafficKinds.some((one) => one === kind);
}

/** The ways through a resource, once something leads through it. */
function Way({ kind, id }: { readonly kind: WayKind; readonly id: string }) {
  const { data } = useQuery(getWay(kind, id));
  const narrow = useNarrow();
  const [asked, setAsked] = useState(false);
  if (data === undefined) {
    return null;
  }
  // On a phone the lanes stand one below the other: the form would be screens away.
  return narrow && !asked ? (
    <Button variant="default" mb="md" fullWidth onClick={() => setAsked(true)}>
      {t('Show the ways of requests')}
    </Button>
  ) : (
    <Paper withBorder p="md" mb="md">
      <ResourceWay lane={kind} id={id} resources={data} whole={data.whole} />
    </Paper>
  );
}

function isRoute(resource: Resources[Kind]): resource is Route {
  return 'path' in resource;
}

interface EditFormProps<K extends Kind> extends Pick<ResourcePageProps<K>, 'kind' | 'id' | 'onDone'> {
  readonly newest: Answer<Resources[K]>;
  readonly staged: StagedChange | undefined;
  readonly gone: boolean;
  /** The title of the one section that is shown. */
  readonly only?: string;
}

/** Edits what was read when it was opened, however often the query is refreshed meanwhile. */
function EditForm<K extends Kind>({ kind, id, newest, staged, gone, only, onDone }: EditFormProps<K>) {
  const [read, setRead] = useState(() => startOf(newest, staged));
  const readOnly = useReadOnly(kind, newest.value.labels ?? {});
  if (readOnly !== undefined && newest.etag !== read.etag) {
    // Nothing can be lost of somebody who changes nothing.
    setRead(newest);
  }
  const onReload = (theirs: Answer<Resources[K]>) => {
    unstage([{ kind, id }]);
    setRead(theirs);
  };
  return (
    <ResourceForm
      key={read.etag}
      kind={kind}
      initial={read.value}
      staged={staged?.body}
      only={only}
      editing={{ id, etag: read.etag, newest, gone, onReload }}
      onSaved={({ revision }) =>
        announceRevision(t('Saved {singular} {id}', { singular: kinds[kind].singular, id }), revision)
      }
      onDone={onDone}
    />
  );
}
