import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Kind as ContractKind, Revision } from '#client';
import { FieldChanges } from '@/components/diff-table';
import { EmptyState } from '@/components/empty-state';
import { QueryView } from '@/components/query-view';
import { RevisionLine } from '@/features/resources/revision-line';
import { diffRevisions } from '@/lib/api/diff-revisions';
import { listRevisions } from '@/lib/api/list-revisions';
import { toldDiff } from '@/lib/json-diff';
import { kinds, type Kind } from '@/lib/kinds';
import { t } from '@/locales';

/** The revisions that changed a resource, each with what it changed. */
export function ResourceHistory({ kind, id }: { kind: Kind; id: string }) {
  const { contractKind, singular } = kinds[kind];
  const query = useInfiniteQuery(listRevisions({ kind: contractKind, id }));
  return (
    <Stack gap="sm">
      <QueryView query={query}>
        {({ pages }) => {
          const revisions = pages.flatMap(({ items }) => items);
          return revisions.length === 0 ? (
            <EmptyState title={t('No change is stored')}>
              {t('The revisions that changed this {singular} are no longer stored.', { singular })}
            </EmptyState>
          ) : (
            revisions.map((revision, index) => (
              <Entry
                key={revision.number}
                revision={revision}
                kind={contractKind}
                id={id}
                openAtFirst={index === 0}
              />
            ))
          );
        }}
      </QueryView>
      {query.hasNextPage && (
        <Group justify="center">
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t('Load more')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

interface EntryProps {
  readonly revision: Revision;
  readonly kind: ContractKind;
  readonly id: string;
  readonly openAtFirst: boolean;
}

function Entry({ revision, kind, id, openAtFirst }: EntryProps) {
  const { number } = revision;
  const [open, setOpen] = useState(openAtFirst);
  return (
    <Paper withBorder p="sm" component="section" aria-label={t('Revision {number}', { number })}>
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          <RevisionLine revision={revision} />
        </Group>
        <Button size="compact-sm" variant="subtle" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t('Hide changes') : t('Show changes')}
        </Button>
      </Group>
      {open && <Fields number={number} kind={kind} id={id} />}
    </Paper>
  );
}

function Fields({ number, kind, id }: Pick<EntryProps, 'kind' | 'id'> & { readonly number: number }) {
  const query = useQuery(diffRevisions(number - 1, number));
  return (
    <QueryView query={query} lines={2}>
      {({ changes }) => {
        const change = changes.find((one) => one.kind === kind && one.id === id);
        return change === undefined ? (
          <Text size="sm" c="dimmed">
            {t('This revision changed many resources. Its own page shows them.')}
          </Text>
        ) : (
          <FieldChanges changes={toldDiff(change.fields)} />
        );
      }}
    </QueryView>
  );
}
