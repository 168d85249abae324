import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCopy, IconPlus, IconSearch, IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Column } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { ReferenceInput } from '@/components/form/reference-input';
import { PageHeader } from '@/components/page-header';
import { PagedTable } from '@/components/paged-table';
import { ResourceLink } from '@/components/resource-link';
import { RowAction } from '@/components/row-action';
import { TypedFilter } from '@/components/typed-filter';
import { DeleteDialog } from '@/features/resources/delete-dialog';
import { listColumns } from '@/features/resources/list-columns';
import { listResources } from '@/lib/api/list-resources';
import type { ListFilter } from '@/lib/api/resource-api';
import { capitalized, kinds, type Kind, type Resources } from '@/lib/kinds';
import { useHasRole } from '@/lib/session';

interface ResourceListPageProps<K extends Kind> {
  readonly kind: K;
  readonly filter: ListFilter;
  readonly onFilter: (filter: ListFilter) => void;
}

/** The values that people search by most; all others are searched, too. */
const searchedIn: Readonly<Record<Kind, string>> = {
  'proxy-servers': 'Id, name, port, plugin, label',
  routers: 'Id, name, host, plugin, label',
  routes: 'Id, name, path, method, plugin, label',
  'proxy-passes': 'Id, name, host, upstream, label',
  upstreams: 'Id, name, node, label',
  certificates: 'Id, name, label',
  consumers: 'Id, name, group, user, label',
};

export function ResourceListPage<K extends Kind>({ kind, filter, onFilter }: ResourceListPageProps<K>) {
  const { plural, singular, meaning, refersTo } = kinds[kind];
  const query = useInfiniteQuery(listResources(kind, filter));
  const [deleting, setDeleting] = useState('');
  const [asking, { open: ask, close: closeDialog }] = useDisclosure();
  const filtered = Object.values<string | undefined>(filter).some((value) => value !== undefined);
  const mayChange = useHasRole('EDITOR');
  const create = mayChange && (
    <Button
      leftSection={<IconPlus size={16} />}
      renderRoot={(props) => (
        <Link
          {...props}
          to="/new/$kind"
          params={{ kind }}
          search={{ ...filter, q: undefined }}
          state={{ fromList: kind }}
        />
      )}
    >
      New {singular}
    </Button>
  );
  const columns: readonly Column<Resources[K]>[] = [
    {
      header: capitalized(singular),
      cell: ({ id = '', name }) => (
        <>
          <ResourceLink kind={kind} id={id} fromList />
          {name !== undefined && (
            <Text size="xs" c="dimmed">
              {name}
            </Text>
          )}
        </>
      ),
    },
    ...listColumns[kind],
    ...(mayChange
      ? [
          {
            header: 'Actions',
            width: 84,
            cell: ({ id = '' }: Resources[K]) => (
              <Group gap={2} wrap="nowrap">
                <RowAction
                  title="Duplicate"
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
                  title="Delete"
                  subject={id}
                  icon={IconTrash}
                  onClick={() => {
                    setDeleting(id);
                    ask();
                  }}
                />
              </Group>
            ),
          },
        ]
      : []),
  ];

  return (
    <>
      <PageHeader title={capitalized(plural)} subtitle={meaning} actions={create} />
      <Group mb="md" align="flex-end" gap="sm">
        <TypedFilter
          type="search"
          label="Search"
          placeholder={searchedIn[kind]}
          leftSection={<IconSearch size={16} />}
          value={filter.q}
          onChange={(q) => onFilter({ ...filter, q })}
          w={300}
        />
        {refersTo.map((reference) => (
          <ReferenceInput
            key={reference.key}
            kind={reference.kind}
            label={capitalized(kinds[reference.kind].singular)}
            value={filter[reference.key] ?? ''}
            onChange={(id) => onFilter({ ...filter, [reference.key]: id })}
            clearable
            hideLink
          />
        ))}
      </Group>
      <PagedTable
        query={query}
        columns={columns}
        rowKey={({ id }) => id ?? ''}
        empty={
          filtered ? (
            <EmptyState
              title={`No ${singular} matches`}
              action={
                <Button variant="default" onClick={() => onFilter({})}>
                  Clear the filters
                </Button>
              }
            >
              No resource has all of these words and references.
            </EmptyState>
          ) : (
            <EmptyState title={`No ${plural} yet`} action={create}>
              {meaning}
            </EmptyState>
          )
        }
      />
      <DeleteDialog kind={kind} id={deleting} opened={asking} onClose={closeDialog} />
    </>
  );
}
