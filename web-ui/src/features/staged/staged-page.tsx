import { Button, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { announceFailure, announceRevision } from '@/components/announce-revision';
import { ConfirmDialog } from '@/components/confirm-dialog';
import { EmptyState } from '@/components/empty-state';
import { PageHeader } from '@/components/page-header';
import { ProblemAlert } from '@/components/problem-alert';
import { TrialResult } from '@/components/trial-result';
import { usePresent } from '@/components/use-present';
import { StagedCard } from '@/features/staged/staged-card';
import { standingsOf } from '@/features/staged/staged-standing';
import { ApiError } from '@/lib/api/api-error';
import { previewBatch, useBatch } from '@/lib/api/batch';
import { operationsOf, unstage, useStaged } from '@/lib/staged';
import { many, t } from '@/locales';

const idle = { error: null, isPending: false };

/** What is staged over several resources: reviewed together, published as one revision, or discarded. */
export function StagedPage() {
  const changes = useStaged();
  const operations = operationsOf(changes);
  const [message, setMessage] = useState('');
  const [discarding, { open: askToDiscard, close: keep }] = useDisclosure();
  const isPresent = usePresent();
  useFocusAfterDiscarding(changes.length);
  const batch = useBatch({
    onDone: ({ revision }) => {
      unstage(changes);
      setMessage('');
      announceRevision(
        many(changes.length, 'Published {count} change', 'Published {count} changes'),
        revision,
      );
    },
    onFailed: (error) => {
      if (!isPresent()) {
        announceFailure(t('The staged changes were not published'), error);
      }
    },
  });
  // What is being published is not asked about any more.
  const preview = useQuery({
    ...previewBatch(operations),
    enabled: changes.length > 0 && !batch.isPending,
  });
  const refusal = preview.error ?? batch.error;
  const standings = standingsOf(changes, preview.data, refusal);
  const troubled = standings.some((one) => one.overtaken || one.errors.length > 0);
  const certain = preview.data !== undefined && !preview.isFetching && !preview.isError && !troubled;
  return (
    <>
      <PageHeader
        title={t('Staged changes')}
        subtitle={t(
          'Changes of several resources, kept in this tab of the browser until you publish them as one revision.',
        )}
        actions={
          changes.length > 0 && (
            <Button variant="default" onClick={askToDiscard} disabled={batch.isPending}>
              {t('Discard all')}
            </Button>
          )
        }
      />
      {changes.length === 0 ? (
        <Paper withBorder>
          <EmptyState
            title={t('Nothing is staged')}
            action={
              <Button
                variant="default"
                renderRoot={(props) => <Link {...props} to="/$kind" params={{ kind: 'routes' }} />}
              >
                {t('Choose a route to change')}
              </Button>
            }
          >
            {t(
              'The button Stage, next to Save in forms and texts of resources, collects a change here. Gateways do not have it before you publish.',
            )}
          </EmptyState>
        </Paper>
      ) : (
        <Stack gap="md">
          <Paper withBorder p="md" component="section" aria-label={t('Review')}>
            <Stack gap="sm">
              {preview.data !== undefined && !preview.isError && (
                <TrialResult revision={preview.data.revision} />
              )}
              {preview.isFetching && (
                <Text size="sm" c="dimmed" role="status">
                  {t('Asking the control plane and the gateways…')}
                </Text>
              )}
              {refusal !== null && !isAbout(refusal) && (
                <ProblemAlert error={refusal} onRetry={() => void preview.refetch()} />
              )}
              {troubled && (
                <Text size="sm">{t('Correct or discard the changes below that cannot be published.')}</Text>
              )}
              <form
                onSubmit={(event) => {
                  event.preventDefault();
                  batch.mutate({ operations, message: message.trim() || undefined });
                }}
              >
                <TextInput
                  label={t('Why')}
                  description={t('Stored with the new revision (optional).')}
                  value={message}
                  maxLength={500}
                  autoComplete="off"
                  onChange={(event) => setMessage(event.currentTarget.value)}
                />
                <Button type="submit" mt="sm" loading={batch.isPending} disabled={!certain}>
                  {many(changes.length, 'Publish {count} change', 'Publish {count} changes')}
                </Button>
              </form>
            </Stack>
          </Paper>
          {changes.map((change, i) => (
            <StagedCard
              key={`${change.kind} ${change.id}`}
              change={change}
              standing={standings[i]}
              disabled={batch.isPending}
            />
          ))}
        </Stack>
      )}
      <ConfirmDialog
        title={t('Discard all staged changes?')}
        action={many(changes.length, 'Discard {count} change', 'Discard {count} changes')}
        opened={discarding}
        onClose={keep}
        doing={idle}
        onConfirm={() => {
          unstage(changes);
          keep();
        }}
      >
        {t('All staged changes will be lost. The configuration stays as it is.')}
      </ConfirmDialog>
    </>
  );
}

/** Longer than a dialog takes to disappear. */
const CLOSING_MILLIS = 400;

/** Who uses the keyboard goes on from the page when what had the focus was discarded. */
function useFocusAfterDiscarding(left: number): void {
  const before = useRef(left);
  useEffect(() => {
    if (left >= before.current) {
      before.current = left;
      return undefined;
    }
    before.current = left;
    const waiting = window.setTimeout(() => {
      if (document.activeElement === null || document.activeElement === document.body) {
        document.getElementById('content')?.focus({ preventScroll: true });
      }
    }, CLOSING_MILLIS);
    return () => window.clearTimeout(waiting);
  }, [left]);
}

/** Whether it is told beside the changes that it is about. */
function isAbout(error: Error): boolean {
  return error instanceof ApiError && (error.problem.operations ?? []).length > 0;
}
