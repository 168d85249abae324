import { Anchor, Button, Checkbox, Group, Text } from '@mantine/core';
import { IconGitCompare } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Kind as ContractKind, type Revision } from '#client';
import type { Column } from '@/components/data-table';
import { EmptyState } from '@/components/empty-state';
import { ChoiceFilter, ClearFilters, Filters, isFiltered } from '@/components/filters';
import { PageHeader } from '@/components/page-header';
import { PagedTable } from '@/components/paged-table';
import { LastTime } from '@/components/time-ago';
import { TypedFilter } from '@/components/typed-filter';
import { listRevisions, type RevisionFilter } from '@/lib/api/list-revisions';
import { capitalized, kindOf, kinds } from '@/lib/kinds';
import { whoIn, whoOf } from '@/lib/who';
import { t } from '@/locales';

interface RevisionsPageProps {
  readonly filter: RevisionFilter;
  readonly onFilter: (filter: RevisionFilter) => void;
}

export function RevisionsPage({ filter, onFilter }: RevisionsPageProps) {
  const query = useInfiniteQuery(listRevisions(filter));
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [older = 0, newer = 0] = chosen.toSorted((a, b) => a - b);
  const columns: readonly Column<Revision>[] = [
    {
      header: t('Revision'),
      width: 170,
      cell: ({ number }) => (
        <Group gap="sm" wrap="nowrap">
          <Checkbox
            size="xs"
            aria-label={t('Compare revision {number}', { number })}
            checked={chosen.includes(number)}
            // A third one takes the place of the first.
            onChange={({ currentTarget: { checked } }) =>
              setChosen(checked ? [...chosen.slice(-1), number] : chosen.filter((other) => other !== number))
            }
          />
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link {...props} to="/revisions/$number" params={{ number: String(number) }} />
            )}
          >
            {t('Revision {number}', { number })}
          </Anchor>
        </Group>
      ),
    },
    {
      header: t('Message'),
      cell: ({ message }) =>
        message ?? (
          <Text size="sm" c="dimmed">
            {t('no message')}
          </Text>
        ),
    },
    { header: t('Resources'), right: true, width: 110, cell: ({ changes }) => changes },
    { header: t('Author'), width: 190, cell: ({ author }) => whoOf(author) },
    { header: t('When'), width: 150, cell: ({ committedAt }) => <LastTime at={committedAt} /> },
  ];
  return (
    <>
      <PageHeader
        title={t('Revisions')}
        subtitle={t('Each revision is one immutable state of the whole configuration. Newest first.')}
        actions={
          <>
            {chosen.length < 2 && (
              <Text size="sm" c="dimmed">
                {t('Choose two revisions below.')}
              </Text>
            )}
            <Button
              variant="default"
              leftSection={<IconGitCompare size={16} />}
              disabled={chosen.length < 2}
              onClick={() =>
                void navigate({
                  to: '/revisions/$number',
                  params: { number: String(newer) },
                  search: { from: older },
                })
              }
            >
              {chosen.length < 2 ? t('Compare two') : t('Compare {older} and {newer}', { older, newer })}
            </Button>
          </>
        }
      />
      <RevisionFilters filter={filter} onFilter={onFilter} />
      <PagedTable
        query={query}
        columns={columns}
        rowKey={({ number }) => number}
        minWidth={760}
        empty={
          isFiltered(filter) ? (
            <EmptyState
              title={t('No revision matches')}
              action={<ClearFilters onClear={() => onFilter({})} />}
            >
              {t('There is no such change, or its revision is no longer stored.')}
            </EmptyState>
          ) : (
            <EmptyState title={t('No revision yet')}>
              {t('The first save makes the first revision.')}
            </EmptyState>
          )
        }
      />
    </>
  );
}

function RevisionFilters({ filter, onFilter }: RevisionsPageProps) {
  const typing = (key: 'author' | 'text' | 'id', label: string, placeholder: string) => (
    <TypedFilter
      label={label}
      placeholder={placeholder}
      value={key === 'author' ? filter[key] && whoOf(filter[key]) : filter[key]}
      onChange={(value) => onFilter({ ...filter, [key]: key === 'author' ? whoIn(value) : value })}
    />
  );
  return (
    <Filters filter={filter}>
      {typing('text', t('Message'), t('Text of the message'))}
      {typing('author', t('Author'), t('A user or token'))}
      <ChoiceFilter
        label={t('Changed kind')}
        values={Object.values(ContractKind)}
        nameOf={(value) => capitalized(kinds[kindOf(value)].singular)}
        value={filter.kind}
        onChange={(kind) => onFilter({ ...filter, kind })}
        w={160}
      />
      {typing('id', t('Changed id'), 'shop-api')}
    </Filters>
  );
}
