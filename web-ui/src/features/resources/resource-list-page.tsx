import { ActionIcon, Button, Group, Paper, Table, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback, useDisclosure } from '@mantine/hooks';
import { IconCopy, IconPlus, IconSearch, IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { EmptyState } from '@/components/empty-state';
import { ReferenceInput } from '@/components/form/reference-input';
import { PageHeader } from '@/components/page-header';
import { ProblemAlert } from '@/components/problem-alert';
import { QueryView } from '@/components/query-view';
import { ResourceLink } from '@/components/resource-link';
import { DeleteDialog } from '@/features/resources/delete-dialog';
import { listColumns } from '@/features/resources/list-columns';
import { listResources } from '@/lib/api/list-resources';
import type { ListFilter } from '@/lib/api/resource-api';
import { capitalized, kinds, type Kind } from '@/lib/kinds';
import { useHasRole } from '@/lib/session';

const TYPING_PAUSE_MILLIS = 250;

interface ResourceListPageProps<K extends Kind> {
  readonly kind: K;
  readonly filter: ListFilter;
  readonly onFilter: (filter: ListFilter) => void;
}

export function ResourceListPage<K extends Kind>({ kind, filter, onFilter }: ResourceListPageProps<K>) {
  const { plural, singular, meaning, refersTo } = kinds[kind];
  const columns = listColumns[kind];
  const query = useInfiniteQuery(listResources(kind, filter));
  const [deleting, setDeleting] = useState('');
  const [asking, { open: ask, close: closeDialog }] = useDisclosure();
  const [typed, setTyped] = useState(filter.name ?? '');
  const [searched, setSearched] = useState(filter.name);
  if (filter.name !== searched) {
    setSearched(filter.name);
    if (filter.name === undefined) {
      // The search was cleared elsewhere, such as by the link in the navigation.
      setTyped('');
    }
  }
  const search = useDebouncedCallback(
    (name: string) => onFilter({ ...filter, name: name || undefined }),
    TYPING_PAUSE_MILLIS,
  );
  const filtered = Object.values<string | undefined>(filter).some((value) => value !== undefined);
  const mayChange = useHasRole('EDITOR');
  const create = mayChange && (
    <Button
      leftSection={<IconPlus size={16} />}
      renderRoot={(props) => (
        <Link {...props} to="/new/$kind" params={{ kind }} search={{ ...filter, name: undefined }} />
      )}
    >
      New {singular}
    </Button>
  );

  return (
    <>
      <PageHeader title={capitalized(plural)} subtitle={meaning} actions={create} />
      <Group mb="md" align="flex-end" gap="sm">
        <TextInput
          type="search"
          label="Search"
          placeholder="Id or name"
          leftSection={<IconSearch size={16} />}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            search(event.currentTarget.value.trim());
          }}
          w={260}
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
      <Paper withBorder>
        <QueryView query={query}>
          {({ pages }) => {
            const items = pages.flatMap((page) => page.items);
            if (items.length === 0) {
              return filtered ? (
                <EmptyState
                  title={`No ${singular} matches`}
                  action={
                    <Button variant="default" onClick={() => onFilter({})}>
                      Clear the filters
                    </Button>
                  }
                >
                  Nothing has this id, name or reference.
                </EmptyState>
              ) : (
                <EmptyState title={`No ${plural} yet`} action={create}>
                  {meaning}
                </EmptyState>
              );
            }
            return (
              <Table.ScrollContainer minWidth={640} type="native">
                <Table verticalSpacing={7} horizontalSpacing="md" highlightOnHover>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th>{capitalized(singular)}</Table.Th>
                      {columns.map(({ header }) => (
                        <Table.Th key={header}>{header}</Table.Th>
                      ))}
                      {mayChange && (
                        <Table.Th w={84}>
                          <Text span size="sm" fw="inherit">
                            Actions
                          </Text>
                        </Table.Th>
                      )}
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {items.map((resource) => {
                      const id = resource.id ?? '';
                      return (
                        <Table.Tr key={id}>
                          <Table.Td>
                            <ResourceLink kind={kind} id={id} />
                            {resource.name !== undefined && (
                              <Text size="xs" c="dimmed">
                                {resource.name}
                              </Text>
                            )}
                          </Table.Td>
                          {columns.map(({ header, cell }) => (
                            <Table.Td key={header}>{cell(resource)}</Table.Td>
                          ))}
                          {mayChange && (
                            <Table.Td>
                              <Group gap={2} wrap="nowrap">
                                <ActionIcon
                                  variant="subtle"
                                  color="gray"
                                  aria-label={`Duplicate ${id}`}
                                  title="Duplicate"
                                  renderRoot={(props) => (
                                    <Link
                                      {...props}
                                      to="/new/$kind"
                                      params={{ kind }}
                                      search={{ from: id }}
                                    />
                                  )}
                                >
                                  <IconCopy size={16} />
                                </ActionIcon>
                                <ActionIcon
                                  variant="subtle"
                                  color="gray"
                                  aria-label={`Delete ${id}`}
                                  title="Delete"
                                  onClick={() => {
                                    setDeleting(id);
                                    ask();
                                  }}
                                >
                                  <IconTrash size={16} />
                                </ActionIcon>
                              </Group>
                            </Table.Td>
                          )}
                        </Table.Tr>
                      );
                    })}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
            );
          }}
        </QueryView>
      </Paper>
      {query.isFetchNextPageError && <ProblemAlert error={query.error} />}
      {query.hasNextPage && (
        <Group justify="center" mt="md">
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            Load more
          </Button>
        </Group>
      )}
      <DeleteDialog kind={kind} id={deleting} ifMatch={undefined} opened={asking} onClose={closeDialog} />
    </>
  );
}
