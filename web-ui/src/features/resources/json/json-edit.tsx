import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useRef, useState } from 'react';
import { announceFailure, announceRevision } from '@/components/announce-revision';
import { placeOf } from '@/components/form/field-messages';
import { LeaveGuard } from '@/components/leave-guard';
import { ProblemAlert } from '@/components/problem-alert';
import { useHeightVariable } from '@/components/use-height-variable';
import { usePresent } from '@/components/use-present';
import { ChangeMessage } from '@/features/resources/change-message';
import { ConflictAlert } from '@/features/resources/conflict-alert';
import { countedChanges } from '@/features/resources/counted-changes';
import { checkJson } from '@/features/resources/json/check-json';
import type { Remark } from '@/features/resources/json/json-editor';
import { JsonText } from '@/features/resources/json/json-text';
import classes from '@/features/resources/resource-form.module.css';
import { ReviewDialog } from '@/features/resources/review-dialog';
import { ApiError } from '@/lib/api/api-error';
import type { Answer } from '@/lib/api/client';
import { useSaveResource } from '@/lib/api/save-resource';
import { jsonDiff } from '@/lib/json-diff';
import { kinds, type Kind, type Resources } from '@/lib/kinds';
import { t } from '@/locales';

const JsonEditor = lazy(() =>
  import('@/features/resources/json/json-editor').then((loaded) => ({ default: loaded.JsonEditor })),
);

interface JsonEditProps<K extends Kind> {
  readonly kind: K;
  readonly id: string;
  /** What the text starts from. */
  readonly read: Answer<Resources[K]>;
  /** The tag of what was read last: another one when somebody else saved in between. */
  readonly newestEtag: string | undefined;
  /** Takes the focus, as what had it is gone with what was edited before. */
  readonly takesFocus: boolean;
  readonly onReload: (newest: Answer<Resources[K]>) => void;
  readonly onText: (changed: boolean) => void;
  readonly onSaved: () => void;
}

/** A resource as a text: checked while one types, reviewed and saved as in its form. */
export function JsonEdit<K extends Kind>({
  kind,
  id,
  read,
  newestEtag,
  takesFocus,
  onReload,
  onText,
  onSaved,
}: JsonEditProps<K>) {
  const { singular } = kinds[kind];
  const [initial] = useState(() => JSON.stringify(read.value, null, 2));
  const [text, setText] = useState(initial);
  const [message, setMessage] = useState('');
  const [remarks, setRemarks] = useState<readonly Remark[]>([]);
  const [reviewing, { open: review, close: endReview }] = useDisclosure();
  const actions = useRef<HTMLDivElement>(null);
  useHeightVariable(actions, '--sigma-actions-height');
  const isPresent = usePresent();
  const save = useSaveResource(kind, {
    onDone: ({ revision }) => announceRevision(t('Saved {kind} {id}', { kind: singular, id }), revision),
    onFailed: (error) => {
      if (!isPresent()) {
        announceFailure(t('The {kind} {id} was not saved', { kind: singular, id }), error);
      }
    },
  });
  const object = objectIn(text);
  // The control plane checks that it is one; what is wrong with it stands beside it.
  const resource = object as Resources[K] | undefined;
  const changes = resource === undefined ? [] : jsonDiff(read.value, resource);
  const unsaved = changes.length > 0 || (resource === undefined && text !== initial);

  const send = (ifMatch: string | undefined) => {
    if (resource !== undefined) {
      save.mutate(
        { resource, id, ifMatch, message: message.trim() || undefined },
        {
          onSuccess: () => {
            endReview();
            onSaved();
          },
          onError: endReview,
        },
      );
    }
  };
  const check = async (checked: string) => {
    const body = objectIn(checked);
    const found: readonly Remark[] =
      body === undefined
        ? [{ pointer: '', message: t('This is not a JSON object.'), severity: 'error' }]
        : jsonDiff(read.value, body).length === 0
          ? []
          : await checkJson(kind, id, body);
    setRemarks(found);
    return found;
  };

  const refused = save.error instanceof ApiError && save.error.status === 412;
  const overtaken = newestEtag !== read.etag && (save.isIdle || save.isError);
  return (
    <Stack gap="sm">
      {unsaved && (refused || overtaken) && (
        <ConflictAlert
          kind={kind}
          id={id}
          read={read.value}
          mine={resource ?? {}}
          refused={refused}
          onReload={onReload}
          onOverwrite={send}
        />
      )}
      {save.error !== null && !refused && <ProblemAlert error={save.error} />}
      <Suspense fallback={<JsonText>{initial}</JsonText>}>
        <JsonEditor
          label={t('JSON of {kind} {id}', { kind: singular, id })}
          initial={initial}
          takesFocus={takesFocus}
          onChange={(next) => {
            setText(next);
            setRemarks([]);
            onText(next !== initial);
          }}
          check={check}
        />
      </Suspense>
      <div role="status" aria-label={t('Remarks on the JSON')}>
        {object === undefined && <Text size="sm">{t('This is not a JSON object yet.')}</Text>}
        {remarks.map((remark) => (
          <Text key={`${remark.pointer} ${remark.message}`} size="sm">
            {placeOf(remark.pointer) !== '' && <b>{t('{place}:', { place: placeOf(remark.pointer) })} </b>}
            {remark.message}
          </Text>
        ))}
      </div>
      <div ref={actions} className={classes.actions}>
        <ChangeMessage value={message} onChange={setMessage} />
        <Group gap="xs">
          <Button onClick={review} disabled={changes.length === 0} loading={save.isPending}>
            {t('Review {changes}', { changes: countedChanges(changes.length) })}
          </Button>
        </Group>
      </div>
      {resource !== undefined && (
        <ReviewDialog
          opened={reviewing}
          kind={kind}
          id={id}
          resource={resource}
          changes={changes}
          saving={save}
          onSave={() => send(read.etag)}
          onClose={endReview}
        />
      )}
      <LeaveGuard blocks={() => unsaved && !save.isSuccess} />
    </Stack>
  );
}

function objectIn(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
