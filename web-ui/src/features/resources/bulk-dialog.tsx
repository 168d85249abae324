import { Alert, Button, Group, List, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { BatchResult, OperationResult } from '#client';
import { announceFailure, announceRevision } from '@/components/announce-revision';
import { FieldChanges } from '@/components/diff-table';
import { DialogForm, FormDialog } from '@/components/form-dialog';
import { Mono } from '@/components/mono';
import { ProblemAlert } from '@/components/problem-alert';
import { QueryView } from '@/components/query-view';
import { RevisionFindings } from '@/components/revision-findings';
import { doubtsOf } from '@/components/revision-outcome';
import { stageChanges } from '@/components/staged/stage-change';
import { usePresent } from '@/components/use-present';
import { changeFor, counted, operationsFor, type BulkAction } from '@/features/resources/bulk-actions';
import { ApiError } from '@/lib/api/api-error';
import { previewBatch, useBatch } from '@/lib/api/batch';
import { getResource } from '@/lib/api/get-resource';
import { jsonDiff, type FieldChange } from '@/lib/json-diff';
import { kindOf, kinds, type Kind } from '@/lib/kinds';
import { STAGED_MAX, stagedChanges } from '@/lib/staged';
import { listed, many, number, rich, t } from '@/locales';
import { translateServer } from '@/locales/server';

const TYPING_PAUSE_MILLIS = 300;
const NAMED_MAX = 12;

/** Each takes how many resources of which kind: "3 routes". */
const verbs = {
  enable: {
    todo: (what: string) => t('Enable {what}', { what }),
    done: (what: string) => t('Enabled {what}', { what }),
  },
  disable: {
    todo: (what: string) => t('Disable {what}', { what }),
    done: (what: string) => t('Disabled {what}', { what }),
  },
  delete: {
    todo: (what: string) => t('Delete {what}', { what }),
    done: (what: string) => t('Deleted {what}', { what }),
  },
  label: {
    todo: (what: string) => t('Label {what}', { what }),
    done: (what: string) => t('Labelled {what}', { what }),
  },
  unlabel: {
    todo: (what: string) => t('Remove the label of {what}', { what }),
    done: (what: string) => t('Removed a label from {what}', { what }),
  },
} as const;

interface BulkQuestionProps {
  readonly kind: Kind;
  readonly ids: readonly string[];
  readonly type: 'enable' | 'disable' | 'delete' | 'label';
  readonly onClose: () => void;
  readonly onStaged: () => void;
  readonly onDone: (what: string, revision: number) => void;
}

interface BulkDialogProps extends BulkQuestionProps {
  readonly opened: boolean;
}

/** Shows what an action on many resources would change, then does it in one revision. Keep it mounted, for the focus. */
export function BulkDialog({ opened, ...question }: BulkDialogProps) {
  const { kind, ids, type } = question;
  return (
    <FormDialog
      opened={opened}
      onClose={question.onClose}
      size="lg"
      title={verbs[type].todo(counted(ids.length, kind))}
    >
      <BulkQuestion {...question} />
    </FormDialog>
  );
}

function BulkQuestion({ kind, ids, type, onClose, onStaged, onDone }: BulkQuestionProps) {
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const [removes, setRemoves] = useState(false);
  const [message, setMessage] = useState('');
  const label = key.trim();
  const wanted: BulkAction | undefined =
    type !== 'label'
      ? { type }
      : label === ''
        ? undefined
        : removes
          ? { type: 'unlabel', key: label }
          : { type: 'label', key: label, value };
  const operations = wanted === undefined ? [] : operationsFor(kind, ids, wanted);
  const [settled] = useDebouncedValue(operations, type === 'label' ? TYPING_PAUSE_MILLIS : 0);
  const upToDate = JSON.stringify(settled) === JSON.stringify(operations);
  const isPresent = usePresent();
  const done = verbs[wanted?.type ?? type].done(counted(ids.length, kind));
  const batch = useBatch({
    onDone: ({ revision }) => announceRevision(done, revision),
    onFailed: (error) => {
      if (!isPresent()) {
        announceFailure(t('Nothing was changed'), error);
      }
    },
  });
  // Once it is being done there is nothing to ask any more.
  const asking = settled.length > 0 && !batch.isPending && !batch.isSuccess;
  const preview = useQuery({ ...previewBatch(settled), enabled: asking });
  const changes = preview.data?.results.filter(({ changed }) => changed).length ?? 0;
  const staging = useStaging(kind, ids, () => {
    onClose();
    onStaged();
  });
  const certain = upToDate && preview.data !== undefined && !preview.isFetching && !preview.isError;
  return (
    <DialogForm
      dangerous={type === 'delete'}
      action={
        certain && changes === 0
          ? t('Nothing to do')
          : verbs[wanted?.type ?? type].todo(counted(certain ? changes : ids.length, kind))
      }
      saving={{ error: batch.error ?? staging.error, isPending: batch.isPending || staging.isPending }}
      disabled={!certain || changes === 0}
      aside={
        <Button
          variant="default"
          // What is still used may be published together with what uses it.
          disabled={wanted === undefined || batch.isPending || staging.isPending || ids.length > STAGED_MAX}
          title={
            ids.length > STAGED_MAX
              ? t('At most {most} changes can be staged.', { most: STAGED_MAX })
              : t('Keep the changes, to publish them together with others')
          }
          onClick={() => wanted && staging.mutate(wanted)}
        >
          {t('Stage')}
        </Button>
      }
      onSubmit={() =>
        batch.mutate(
          { operations, message: message.trim() || undefined },
          {
            onSuccess: ({ value: { revision } }) => {
              onClose();
              onDone(done, revision.number);
            },
          },
        )
      }
      onClose={onClose}
    >
      {type === 'label' && (
        <LabelInputs
          name={key}
          value={value}
          removes={removes}
          onName={setKey}
          onValue={setValue}
          onRemoves={setRemoves}
        />
      )}
      {operations.length > 0 && (
        <div role="region" aria-label={t('Preview of the changes')}>
          {preview.error === null ? (
            <QueryView query={{ ...preview, data: upToDate ? preview.data : undefined }} lines={3}>
              {(result) => <Preview kind={kind} result={result} />}
            </QueryView>
          ) : (
            <Refusal error={preview.error} />
          )}
        </div>
      )}
      <TextInput
        label={t('Why')}
        description={t('Stored with the new revision (optional).')}
        value={message}
        maxLength={500}
        autoComplete="off"
        onChange={(event) => setMessage(event.currentTarget.value)}
      />
    </DialogForm>
  );
}

/** Stages an action on the resources as they are now, each with the tag of its state. */
function useStaging(kind: Kind, ids: readonly string[], onStaged: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (action: BulkAction) => {
      const staged = new Map(stagedChanges().map((one) => [`${one.kind} ${one.id}`, one]));
      const changes = await Promise.all(
        ids.map(async (id) => {
          const newest = await client.query({ ...getResource(kind, id), staleTime: 0 });
          return changeFor(kind, id, action, newest, staged.get(`${kind} ${id}`));
        }),
      );
      return changes.filter((change) => change !== undefined);
    },
    onSuccess: (changes) => {
      if (changes.length === 0) {
        notifications.show({ message: t('Nothing to do') });
        onStaged();
      } else if (stageChanges(changes)) {
        onStaged();
      }
    },
  });
}

interface LabelInputsProps {
  readonly name: string;
  readonly value: string;
  readonly removes: boolean;
  readonly onName: (name: string) => void;
  readonly onValue: (value: string) => void;
  readonly onRemoves: (removes: boolean) => void;
}

function LabelInputs({ name, value, removes, onName, onValue, onRemoves }: LabelInputsProps) {
  return (
    <Stack gap="xs">
      <SegmentedControl
        aria-label={t('What to do with the label')}
        value={removes ? 'remove' : 'set'}
        onChange={(chosen) => onRemoves(chosen === 'remove')}
        data={[
          { value: 'set', label: t('Set') },
          { value: 'remove', label: t('Remove') },
        ]}
      />
      <Group grow align="flex-start">
        <TextInput
          label={t('Label')}
          placeholder="team"
          value={name}
          maxLength={128}
          autoComplete="off"
          data-autofocus
          onChange={(event) => onName(event.currentTarget.value)}
        />
        {!removes && (
          <TextInput
            label={t('Value')}
            placeholder="shop"
            value={value}
            autoComplete="off"
            onChange={(event) => onValue(event.currentTarget.value)}
          />
        )}
      </Group>
    </Stack>
  );
}

interface Same {
  readonly fields: readonly FieldChange[];
  readonly ids: string[];
}

/** What changes in the same way is said once. */
function grouped(results: readonly OperationResult[]): readonly Same[] {
  const groups = new Map<string, Same>();
  for (const { id, changed, action, before, after } of results) {
    if (changed) {
      const fields = action === 'DELETE' ? [] : jsonDiff(before, after);
      const key = JSON.stringify(fields);
      const group = groups.get(key) ?? { fields, ids: [] };
      group.ids.push(id);
      groups.set(key, group);
    }
  }
  return [...groups.values()];
}

function Preview({ kind, result: { results, revision } }: { kind: Kind; result: BatchResult }) {
  const same = results.filter(({ changed }) => !changed).length;
  const groups = grouped(results);
  const accepted = (revision.votes ?? []).filter(({ vote }) => vote === 'ACCEPT').length;
  return (
    <Stack gap="sm">
      {groups.slice(0, NAMED_MAX).map(({ fields, ids }) => (
        <div key={ids[0]}>
          <Text size="sm">
            {rich(fields.length === 0 ? '{what} will be deleted: {ids}' : '{what} will change: {ids}', {
              what: counted(ids.length, kind),
              ids: <Mono>{ids.slice(0, NAMED_MAX).join(', ')}</Mono>,
            })}
            {ids.length > NAMED_MAX && ` ${t('and {more} more', { more: number(ids.length - NAMED_MAX) })}`}
          </Text>
          {fields.length > 0 && <FieldChanges changes={fields} />}
        </div>
      ))}
      {groups.length > NAMED_MAX && (
        <Text size="sm" c="dimmed">
          {many(groups.length - NAMED_MAX, 'and {count} other change', 'and {count} other changes')}
        </Text>
      )}
      {same > 0 && (
        <Text size="sm" c="dimmed">
          {many(same, '{what} is already like this.', '{what} are already like this.', {
            what: counted(same, kind),
          })}
        </Text>
      )}
      {doubtsOf(revision).map((doubt) => (
        <Text key={doubt} size="sm">
          {doubt}
        </Text>
      ))}
      <RevisionFindings revision={revision} />
      <Text size="sm" c="dimmed">
        {t('One revision, number {number}.', { number: revision.number })}
        {accepted > 0 &&
          ` ${many(accepted, '{count} gateway can serve it.', '{count} gateways can serve it.')}`}
      </Text>
    </Stack>
  );
}

/** Why a batch cannot be done: what still uses a resource is named beside it. */
function Refusal({ error }: { readonly error: Error }) {
  const operations = error instanceof ApiError ? (error.problem.operations ?? []) : [];
  if (operations.length === 0) {
    return <ProblemAlert error={error} />;
  }
  return (
    <Alert color="red" icon={<IconAlertTriangle />} role="alert" title={t('This cannot be done')}>
      <List size="sm">
        {operations.slice(0, NAMED_MAX).map(({ index, id, detail, referrers = [] }) => (
          <List.Item key={index}>
            <Mono>{id}</Mono>:{' '}
            {referrers.length === 0
              ? detail && translateServer(detail)
              : t('used by {users}', {
                  users: listed(referrers.map((one) => `${kinds[kindOf(one.kind)].singular} ${one.id}`)),
                })}
          </List.Item>
        ))}
      </List>
      {operations.length > NAMED_MAX && t('and {more} more', { more: number(operations.length - NAMED_MAX) })}
    </Alert>
  );
}
