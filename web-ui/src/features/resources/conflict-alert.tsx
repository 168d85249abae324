import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DiffTable } from '@/components/diff-table';
import { MergePanel } from '@/components/merge/merge-panel';
import { ProblemAlert } from '@/components/problem-alert';
import type { Answer } from '@/lib/api/client';
import { getResource } from '@/lib/api/get-resource';
import { kinds, type Kind, type Resources } from '@/lib/kinds';
import { t } from '@/locales';

interface ConflictAlertProps<K extends Kind> {
  readonly kind: K;
  readonly id: string;
  readonly read: object;
  readonly mine: object;
  /** A save was refused because of it. */
  readonly refused: boolean;
  /** Why what is edited cannot be merged as it is. */
  readonly unmergeable?: string | undefined;
  /** Gives what was read the shape in which `mine` is, so that the shape alone is no change. */
  readonly shaped?: (resource: object) => object;
  /** Saves the merge of both, or goes on editing it, from what the other one saved. */
  readonly onMerge: (merged: object, newest: Answer<Resources[K]>, then: 'save' | 'edit') => void;
  readonly onReload: (newest: Answer<Resources[K]>) => void;
  readonly onOverwrite: (etag: string | undefined) => void;
}

/** Somebody else saved first: merge both changes, take theirs, or save over it. */
export function ConflictAlert<K extends Kind>({
  kind,
  id,
  read,
  mine,
  refused,
  unmergeable,
  shaped = (resource) => resource,
  onMerge,
  onReload,
  onOverwrite,
}: ConflictAlertProps<K>) {
  const [shown, setShown] = useState(false);
  const [asked, setAsked] = useState(false);
  const { singular } = kinds[kind];
  const newest = useQuery({ ...getResource(kind, id), staleTime: 0 });
  // What was read before may be what they replaced. What is read again later takes no button away, as a click under way would be
  // lost; should a third one have saved meanwhile, the tag says so.
  const theirs = newest.isFetchedAfterMount && !newest.isError ? newest.data : undefined;
  // A save that was refused has to be settled now; a change that came meanwhile can wait.
  const merges = (refused || asked) && unmergeable === undefined;
  return (
    <Alert
      color="yellow"
      icon={<IconUsers />}
      role="alert"
      title={t('Another user changed this {singular} while you edited it', { singular })}
    >
      <Stack gap="sm">
        <Text size="sm">
          {refused
            ? t('Nothing was saved, so the change of the other user is not lost.')
            : t('The form shows the state before the change of the other user.')}
        </Text>
        {newest.isError && <ProblemAlert error={newest.error} onRetry={() => void newest.refetch()} />}
        {theirs !== undefined && merges && (
          <MergePanel
            key={theirs.etag}
            base={shaped(read)}
            mine={mine}
            theirs={shaped(theirs.value)}
            onSave={(merged) => onMerge(merged, theirs, 'save')}
            onEdit={(merged) => onMerge(merged, theirs, 'edit')}
          />
        )}
        {unmergeable !== undefined && <Text size="sm">{unmergeable}</Text>}
        <Group gap="xs">
          {!merges && unmergeable === undefined && (
            <Button size="compact-sm" onClick={() => setAsked(true)}>
              {t('Merge both')}
            </Button>
          )}
          <Button size="compact-sm" variant="default" onClick={() => setShown(!shown)} aria-expanded={shown}>
            {shown ? t('Hide the differences') : t('Show the differences')}
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            disabled={theirs === undefined}
            onClick={() => theirs && onReload(theirs)}
          >
            {t('Reload and discard my edits')}
          </Button>
          <Button
            size="compact-sm"
            color="red"
            variant="light"
            disabled={theirs === undefined}
            onClick={() => onOverwrite(theirs?.etag)}
          >
            {t('Overwrite with my version')}
          </Button>
        </Group>
        {shown && theirs !== undefined && (
          <>
            <Text size="sm" fw={600}>
              {t('Their changes')}
            </Text>
            <DiffTable before={read} after={theirs.value} />
            <Text size="sm" fw={600}>
              {t('Changes if you save yours')}
            </Text>
            <DiffTable before={theirs.value} after={mine} />
          </>
        )}
      </Stack>
    </Alert>
  );
}
