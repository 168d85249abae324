import { Button, Group, Pagination, Select, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCopy, IconPlus, IconSearch, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Column } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { ChoiceFilter, ClearFilters, Filters, isFiltered } from '@/components/filters';
import { ReferenceInput } from '@/components/form/reference-input';
import { NearestHits } from '@/components/nearest-hits';
import { PageHeader } from '@/components/page-header';
import { ResourceLink } from '@/components/resource-link';
import { RowAction } from '@/components/row-action';
import { StagedBadge } from '@/components/staged/staged-badge';
import { StagedCreations } from '@/components/staged/staged-creations';
import { TableCard } from '@/components/table-card';
import { TypedFilter } from '@/components/typed-filter';
import { counted } from '@/features/resources/bulk-actions';
import { DeleteDialog } from '@/features/resources/delete-dialog';
import { listColumns, ordersOf } from '@/features/resources/list-columns';
import { pageControlNames } from '@/features/resources/page-control-names';
import classes from '@/features/resources/resource-list.module.css';
import { useBulk } from '@/features/resources/use-bulk';
import { useListContext } from '@/features/resources/use-list-context';
import { ask } from '@/lib/api/ask';
import { listResources, PAGE_ROWS, states, type ListView } from '@/lib/api/list-resources';
import { capitalized, kinds, narrowedBy, type Kind, type ReferenceKey, type Resources } from '@/lib/kinds';
import { useReadOnly, useReadOnlyLabels } from '@/lib/may-change';
import { soughtBy } from '@/lib/sought-by';
import { number, t } from '@/locales';

interface ResourceListPageProps<K extends Kind> {
  readonly kind: K;
  readonly view: ListView;
  readonly onView: (view: ListView) => void;
}

/** The values that people search by most; all others are searched, too. */
const searchedIn: Readonly<Record<Kind, string>> = {
  'proxy-servers': t('Id, name, port, plugin, label'),
  routers: t('Id, name, host, plugin, label'),
  routes: t('Id, name, path, method, plugin, label'),
  'proxy-passes': t('Id, name, host, upstream, label'),
  upstreams: t('Id, name, node, label'),
  certificates: t('Id, name, label'),
  consumers: t('Id, name, group, user, label'),
};

const NARROW_MIN = 680;

export function ResourceListPage<K extends Kind>({ kind, view, onView }: ResourceListPageProps<K>) {
  const { plural, singular, meaning } = kinds[kind];
  const { sort, page = 1, ...filter } = view;
  // Each field that is read renders the page again when it changes.
  const { data, error, isPlaceholderData, refetch } = useQuery(listResources(kind, view));
  const client = useQueryClient();
  const rows = data?.items ?? [];
  const total = data?.total ?? rows.length;
  const context = useListContext(kind, rows);
  const [deleting, setDeleting] = useState('');
  const [asking, { open: openDialog, close: closeDialog }] = useDisclosure();
  const filtered = isFiltered(filter);
  const mayChange = useReadOnly(kind) === undefined;
  const refused = useReadOnlyLabels();
  const labels = new Map(rows.map((row) => [row.id ?? '', row.labels ?? {}]));
  const bulk = useBulk(kind, view, total);
  // A page of another list than the one that was looked at.
  const narrow = (narrowed: ListView) => onView({ ...view, page: undefined, ...narrowed });
  const remove = (id: string) => {
    setDeleting(id);
    openDialog();
  };
  const pages = Math.ceil(total / PAGE_ROWS);
  useEffect(() => {
    if (page > 1 && data !== undefined && !isPlaceholderData && rows.length === 0) {
      onView({ ...view, page: undefined });
    }
  });
  const create = mayChange && (
    <Button
      leftSection={<IconPlus size={16} />}
      renderRoot={(props) => (
        <Link
          {...props}
          to="/new/$kind"
          params={{ kind }}
          search={referencesOf(kind, view)}
          state={{ fromList: kind }}
        />
      )}
    >
      {t('New {kind}', { kind: singular })}
    </Button>
  );
  const latest = useRef({ narrow, remove });
  useEffect(() => {
    latest.current = { narrow, remove };
  });
  const narrowLatest = useCallback((narrowed: ListView) => latest.current.narrow(narrowed), []);
  const askSoon = useCallback(
    (narrowed: ListView) => ask(client, listResources(kind, narrowed)),
    [client, kind],
  );
  const showLabelled = useCallback((label: string) => narrowLatest({ q: label }), [narrowLatest]);
  const removeRow = useCallback((id: string) => latest.current.remove(id), []);
  // Rows that have not changed are not rendered again while these are the same.
  const columns = useMemo(
    (): readonly Column<Resources[K]>[] => [
      {
        header: capitalized(singular),
        sort: 'id',
        cell: ({ id = '', name, labels }) => (
          <div className={classes.name}>
            <ResourceLink kind={kind} id={id} fromList />
            <StagedBadge kind={kind} id={id} />
            {name !== undefined && (
              <Text size="xs" c="dimmed">
                {name}
              </Text>
            )}
            <Labels labels={labels} onChoose={showLabelled} />
          </div>
        ),
      },
      ...listColumns[kind](context),
      ...(mayChange
        ? [
            {
              header: t('Actions'),
              width: 84,
              cell: ({ id = '', labels = {} }: Resources[K]) => (
                <RowActions kind={kind} id={id} labels={labels} onDelete={removeRow} />
              ),
            },
          ]
        : []),
    ],
    [kind, singular, context, mayChange, showLabelled, removeRow],
  );

  return (
    <>
      <PageHeader title={capitalized(plural)} subtitle={meaning} actions={create} />
      <ListFilters kind={kind} view={view} onNarrow={narrowLatest} onSearch={askSoon} />
      {bulk.notice}
      <StagedCreations kind={kind} />
      <TableCard
        query={{ data: data === undefined ? undefined : rows, error, refetch }}
        label={capitalized(plural)}
        columns={columns}
        rowKey={({ id }) => id ?? ''}
        minWidth={NARROW_MIN}
        long
        order={{ by: sort ?? 'id', onChange: (by) => narrow({ sort: orderOf(by) }) }}
        selection={mayChange ? { ...bulk.selection, refused: (key) => refused(labels.get(key)) } : undefined}
        empty={
          filtered ? (
            <EmptyState
              title={t('No {singular} matches', { singular })}
              action={<ClearFilters onClear={() => onView({ sort })} />}
              more={view.q !== undefined && <NearestHits text={view.q} kind={kind} />}
            >
              {t('No resource has all of these words and references.')}
            </EmptyState>
          ) : (
            <EmptyState title={t('No {plural} yet', { plural })} action={create}>
              {meaning}
            </EmptyState>
          )
        }
      />
      {total > 0 && (
        <Group justify="space-between" mt="sm" gap="xs">
          <Text size="sm" c="dimmed" role="status">
            {rangeOf(kind, page, rows.length, total)}
          </Text>
          {pages > 1 && (
            <Pagination
              size="sm"
              total={pages}
              value={page}
              onChange={(next) => {
                onView({ ...view, page: next === 1 ? undefined : next });
                window.scrollTo({ top: 0 });
              }}
              getItemProps={(number) => ({ 'aria-label': t('Page {number}', { number }) })}
              getControlProps={(control) => ({ 'aria-label': pageControlNames[control] })}
            />
          )}
        </Group>
      )}
      {bulk.bar}
      <DeleteDialog kind={kind} id={deleting} opened={asking} onClose={closeDialog} />
    </>
  );
}

interface ListFiltersProps {
  readonly kind: Kind;
  readonly view: ListView;
  readonly onNarrow: (narrowed: ListView) => void;
  /** Called with the view that comes next. */
  readonly onSearch: (next: ListView) => void;
}

/** Selects cost more than the rows of a search: they are not rendered again when its answer comes. */
const ListFilters = memo(function ListFilters({ kind, view, onNarrow, onSearch }: ListFiltersProps) {
  return (
    <Filters filter={{ ...view, q: undefined, sort: undefined, page: undefined }}>
      <TypedFilter
        type="search"
        label={t('Search')}
        placeholder={searchedIn[kind]}
        leftSection={<IconSearch size={16} />}
        value={view.q}
        onChange={(typed) => {
          const q = typed && soughtBy(typed);
          // Before anything is rendered.
          onSearch({ ...view, page: undefined, q });
          onNarrow({ q });
        }}
        quick
        w={300}
      />
      {narrowedBy(kind).map((reference) => (
        <ReferenceInput
          key={reference.key}
          kind={reference.kind}
          label={capitalized(kinds[reference.kind].singular)}
          value={view[reference.key] ?? ''}
          onChange={(id) => onNarrow({ [reference.key]: id })}
          clearable
          hideLink
        />
      ))}
      {kinds[kind].switchable && (
        <ChoiceFilter
          label={t('State')}
          values={states}
          nameOf={(state) => (state === 'enabled' ? t('Enabled') : t('Disabled'))}
          value={view.state}
          onChange={(state) => onNarrow({ state })}
          w={130}
        />
      )}
      <Select
        className={classes.order}
        label={t('Order')}
        data={[...ordersOf(kind)]}
        value={view.sort ?? 'id'}
        allowDeselect={false}
        onChange={(by) => onNarrow({ sort: orderOf(by) })}
      />
    </Filters>
  );
});

interface RowActionsProps {
  readonly kind: Kind;
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly onDelete: (id: string) => void;
}

function RowActions({ kind, id, labels, onDelete }: RowActionsProps) {
  const readOnly = useReadOnly(kind, labels);
  return (
    <Group gap={2} wrap="nowrap" justify="flex-end">
      <RowAction
        title={t('Duplicate')}
        subject={id}
        icon={IconCopy}
        renderRoot={(props) => (
          <Link
            {...props}
            to="/new/$kind"
            params={{ kind }}
            search={{ from: id }}
            state={{ fromList: kind }}
          />
        )}
      />
      <RowAction
        title={t('Delete')}
        subject={id}
        icon={IconTrash}
        refused={readOnly}
        onClick={() => onDelete(id)}
      />
    </Group>
  );
}

interface LabelsProps {
  readonly labels: Readonly<Record<string, string>> | undefined;
  readonly onChoose: (words: string) => void;
}

/** Each narrows the list to the rows that carry it. */
function Labels({ labels = {}, onChoose }: LabelsProps) {
  const all = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  if (all.length === 0) {
    return null;
  }
  const more = all.length - LABELS_SHOWN;
  return (
    <Group gap={4} mt={2}>
      {all.slice(0, LABELS_SHOWN).map((label) => (
        <button
          key={label}
          type="button"
          className={classes.label}
          title={t('Show what is labelled {label}', { label })}
          onClick={() => onChoose(`label:${label.split(/\s/, 1)[0] ?? ''}`)}
        >
          {label}
        </button>
      ))}
      {more > 0 && (
        <Text span size="xs" c="dimmed" title={all.join('\n')}>
          {t('and {more} more', { more: number(more) })}
        </Text>
      )}
    </Group>
  );
}

const LABELS_SHOWN = 3;

const orderOf = (by: string | null) => (by === null || by === 'id' ? undefined : by);

function referencesOf(kind: Kind, view: ListView): Partial<Record<ReferenceKey, string>> {
  return Object.fromEntries(kinds[kind].refersTo.map(({ key }) => [key, view[key]]));
}

function rangeOf(kind: Kind, page: number, shown: number, total: number): string {
  const first = (page - 1) * PAGE_ROWS + 1;
  return shown === total
    ? counted(total, kind)
    : t('{first} to {last} of {total}', {
        first: number(first),
        last: number(first + shown - 1),
        total: number(total),
      });
}
