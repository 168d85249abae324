import { Radio, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Kind as ContractKind, RollbackResult } from '#client';
import { announceFailure, announceRevision } from '@/components/announce-revision';
import { EntityDiffView } from '@/components/entity-diff-view';
import { DialogForm, FormDialog } from '@/components/form-dialog';
import { QueryView } from '@/components/query-view';
import { RevisionFindings } from '@/components/revision-findings';
import { doubtsOf } from '@/components/revision-outcome';
import { usePresent } from '@/components/use-present';
import { previewRollback, useRollBack } from '@/lib/api/roll-back';
import { toldDiff } from '@/lib/json-diff';
import { kindOf, kinds } from '@/lib/kinds';
import { listed, many, t } from '@/locales';

const SHOWN_MAX = 20;

export interface RollbackTarget {
  /** The revisions that can be gone back to, the one that is meant most likely first. */
  readonly numbers: readonly number[];
  /** Everything when it is absent. */
  readonly entity?: { readonly kind: ContractKind; readonly id: string };
}

interface RollbackDialogProps {
  readonly opened: boolean;
  readonly target: RollbackTarget;
  readonly onClose: () => void;
  readonly onDone: (revision: number) => void;
}

/** Shows what a roll back would change, then makes it. Keep it mounted while it is closed, for the focus. */
export function RollbackDialog({ opened, target, onClose, onDone }: RollbackDialogProps) {
  const { entity } = target;
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      size="xl"
      title={
        entity === undefined
          ? t('Roll back everything')
          : t('Roll back {singular} {id}', { singular: kinds[kindOf(entity.kind)].singular, id: entity.id })
      }
    >
      <RollbackForm target={target} onClose={onClose} onDone={onDone} />
    </FormDialog>
  );
}

function RollbackForm({ target: { numbers, entity }, onClose, onDone }: Omit<RollbackDialogProps, 'opened'>) {
  const [number, setNumber] = useState(numbers[0] ?? 1);
  const [message, setMessage] = useState('');
  const wish = { number, rollback: { ...entity } };
  const preview = useQuery(previewRollback(wish));
  const isPresent = usePresent();
  const rolling = useRollBack({
    onDone: ({ number: target, result }) =>
      announceRevision(t('Rolled back to revision {target}', { target }), result.revision),
    onFailed: (error) => {
      if (!isPresent()) {
        announceFailure(t('Nothing was rolled back'), error);
      }
    },
  });
  const count = preview.data?.value.changes.length ?? 0;
  const certain = preview.data !== undefined && !preview.isFetching && !preview.isError;
  const rollBack = () =>
    rolling.mutate(
      { ...wish, message: message.trim() || undefined, ifMatch: preview.data?.etag },
      {
        onSuccess: ({ value: { revision } }) => onDone(revision.number),
      },
    );
  return (
    <DialogForm
      dangerous
      action={
        count === 0
          ? t('Roll back')
          : many(count, 'Roll back {count} resource', 'Roll back {count} resources')
      }
      saving={rolling}
      disabled={!certain || count === 0}
      onSubmit={rollBack}
      onClose={onClose}
    >
      {numbers.length > 1 && (
        <Radio.Group
          label={t('State of revision')}
          value={String(number)}
          onChange={(value) => {
            setNumber(Number(value));
            rolling.reset();
          }}
        >
          <Stack gap={6} mt={6}>
            {numbers.map((one) => (
              <Radio key={one} value={String(one)} label={t('Revision {number}', { number: one })} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <div role="region" aria-label={t('Preview of the changes')}>
        <QueryView query={{ ...preview, data: preview.isError ? undefined : preview.data }} lines={3}>
          {({ value }) => <Preview number={number} result={value} />}
        </QueryView>
      </div>
      <TextInput
        label={t('Why')}
        description={t('Stored with the new revision (optional).')}
        value={message}
        maxLength={500}
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
    </DialogForm>
  );
}

function Preview({ number, result: { changes, revision } }: { number: number; result: RollbackResult }) {
  if (changes.length === 0) {
    return (
      <Text size="sm">
        {t('Nothing changes: the state is the same as at revision {number}.', { number })}
      </Text>
    );
  }
  return (
    <Stack gap="sm">
      <Text size="sm">
        {t(
          '{summary}. This restores the state of revision {number} and makes revision {next} at once. The revisions in between stay in the history.',
          { summary: summaryOf(changes.map(({ action }) => action)), number, next: revision.number },
        )}
      </Text>
      {doubtsOf(revision).map((doubt) => (
        <Text key={doubt} size="sm">
          {doubt}
        </Text>
      ))}
      <RevisionFindings revision={revision} />
      {changes.slice(0, SHOWN_MAX).map(({ fields, ...entity }) => (
        <EntityDiffView
          key={`${entity.kind} ${entity.id}`}
          change={{ ...entity, fields: toldDiff(fields) }}
          planned
        />
      ))}
      {changes.length > SHOWN_MAX && (
        <Text size="sm" c="dimmed">
          {many(changes.length - SHOWN_MAX, 'and {count} resource more', 'and {count} resources more')}
        </Text>
      )}
    </Stack>
  );
}

const counted = {
  CREATE: (count: number) => many(count, '{count} resource created', '{count} resources created'),
  UPDATE: (count: number) => many(count, '{count} resource changed', '{count} resources changed'),
  DELETE: (count: number) => many(count, '{count} resource deleted', '{count} resources deleted'),
} as const;

function summaryOf(actions: readonly (keyof typeof counted)[]): string {
  return listed(
    (['CREATE', 'UPDATE', 'DELETE'] as const)
      .map((action) => ({ action, count: actions.filter((one) => one === action).length }))
      .filter(({ count }) => count > 0)
      .map(({ action, count }) => counted[action](count)),
  );
}
