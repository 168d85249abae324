import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useRef, useState } from 'react';
import { announceFailure, announceRevision } from '@/components/announce-revision';
import { placeOf } from '@/components/form/field-messages';
import { LeaveGuard } from '@/components/leave-guard';
import { ProblemAlert } from '@/components/problem-alert';
import { useHeightVariable } from '@/components/use-height-variable';
import { stageChange } from '@/components/staged/stage-change';
import { usePresent } from '@/components/use-present';
import { ChangeMessage } from '@/features/resources/change-message';
import { ConflictAlert } from '@/features/resources/conflict-alert';
import { countedChanges } from '@/features/resources/counted-changes';
import { checkJson } from '@/features/resources/json/check-json';
import type { Remark } from '@/features/resources/json/json-editor';
import { contractRemarks } from '@/features/resources/json/contract-check';
import { JsonText } from '@/features/resources/json/json-text';
import { jsonFormat, loadYamlFormat, type TextFormat } from '@/features/resources/json/text-format';
import { resourceForms } from '@/features/resources/resource-forms';
import classes from '@/features/resources/resource-form.module.css';
import { ReviewDialog } from '@/features/resources/review-dialog';
import { ApiError } from '@/lib/api/api-error';
import type { Answer } from '@/lib/api/client';
import { useSaveResource } from '@/lib/api/save-resource';
import { jsonDiff } from '@/lib/json-diff';
import { kinds, type Kind, type Resources } from '@/lib/kinds';
import { isStaged, unstage } from '@/lib/staged';
import { t } from '@/locales';

const JsonEditor = lazy(() =>
  import('@/features/resources/json/json-editor').then((loaded) => ({ default: loaded.JsonEditor })),
);

interface JsonEditProps<K extends Kind> {
  readonly kind: K;
  readonly id: string;
  /** What the text starts from. */
  readonly read: Answer<Resources[K]>;
  /** What was staged, from which the text starts instead. */
  readonly staged: object | undefined;
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
  staged,
  newestEtag,
  takesFocus,
  onReload,
  onText,
  onSaved,
}: JsonEditProps<K>) {
  const { singular } = kinds[kind];
  const { schema } = resourceForms[kind];
  // What the changes are told from: what was read, or what somebody else saved once both are merged.
  const [base, setBase] = useState(read);
  const [format, setFormat] = useState<TextFormat>(jsonFormat);
  const [initial, setInitial] = useState(() => format.print(staged ?? read.value));
  const [text, setText] = useState(initial);
  const latest = useRef(initial);
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
  const object = format.parse(text);
  // The control plane checks that it is one; what is wrong with it stands beside it.
  const resource = object as Resources[K] | undefined;
  const changes = resource === undefined ? [] : jsonDiff(base.value, resource);
  const unsaved = changes.length > 0 || (resource === undefined && text !== format.print(base.value));

  const send = (ifMatch: string | undefined, sent = resource) => {
    if (sent !== undefined) {
      save.mutate(
        { resource: sent, id, ifMatch, message: message.trim() || undefined },
        {
          onSuccess: () => {
            endReview();
            unstage([{ kind, id }]);
            onSaved();
          },
          onError: endReview,
        },
      );
    }
  };
  const check = async (checked: string) => {
    const body = format.parse(checked);
    let found: readonly Remark[] = [];
    if (body === undefined) {
      found = [
        {
          pointer: '',
          message: t('This is not a {format} object.', { format: format.name }),
          severity: 'error',
        },
      ];
    } else if (jsonDiff(base.value, body).length > 0) {
      found = contractRemarks(schema, body);
      // What the schema refuses need not be asked.
      found = found.length > 0 ? found : await checkJson(kind, id, body);
    }
    setRemarks(found);
    return found;
  };

  const begin = (next: string) => {
    latest.current = next;
    setInitial(next);
    setText(next);
    setRemarks([]);
  };

  /** Goes on from what the other one saved, with the merge as the text. */
  const takeMerge = (merged: object, newest: Answer<Resources[K]>, then: 'save' | 'edit') => {
    setBase(newest);
    begin(format.print(merged));
    save.reset();
    if (then === 'save') {
      send(newest.etag, merged as Resources[K]);
    }
  };

  /** Writes the same in the other format. */
  const changeFormat = async (name: string) => {
    const next = name === 'YAML' ? await loadYamlFormat() : jsonFormat;
    // Also with what was typed while the other format was loaded.
    const written = next.print(format.parse(latest.current) ?? base.value);
    setFormat(next);
    begin(written);
  };

  const refused = save.error instanceof ApiError && save.error.status === 412;
  const overtaken = newestEtag !== base.etag && (save.isIdle || save.isError);
  return (
    <Stack gap="sm">
      {unsaved && (refused || overtaken) && (
        <ConflictAlert
          kind={kind}
          id={id}
          read={base.value}
          mine={resource ?? {}}
          refused={refused}
          unmergeable={
            resource === undefined
              ? `A text that is not a ${format.name} object cannot be merged.`
              : undefined
          }
          onMerge={takeMerge}
          onReload={onReload}
          onOverwrite={(etag) => send(etag)}
        />
      )}
      {save.error !== null && !refused && <ProblemAlert error={save.error} />}
      <SegmentedControl
        aria-label="Format of the text"
        size="xs"
        style={{ alignSelf: 'flex-start' }}
        data={['JSON', 'YAML']}
        value={format.name}
        // A text that cannot be read cannot be written in another way.
        disabled={object === undefined}
        onChange={(name) =>
          void changeFormat(name).catch((error: unknown) =>
            announceFailure(
              `${name} could not be loaded`,
              error instanceof Error ? error : new Error(String(error)),
            ),
          )
        }
      />
      <Suspense fallback={<JsonText>{initial}</JsonText>}>
        <JsonEditor
          key={format.name}
          label={t('{format} of {kind} {id}', { format: format.name, kind: singular, id })}
          schema={schema}
          language={format.language}
          initial={initial}
          takesFocus={takesFocus || base !== read}
          onChange={(next) => {
            latest.current = next;
            setText(next);
            setRemarks([]);
            onText(next !== format.print(base.value));
          }}
          check={check}
        />
      </Suspense>
      <div role="status" aria-label={t('Remarks on the {format}', { format: format.name })}>
        {object === undefined && (
          <Text size="sm">{t('This is not a {format} object yet.', { format: format.name })}</Text>
        )}
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
          {resource !== undefined && changes.length > 0 && (
            <Button
              variant="default"
              disabled={save.isPending}
              onClick={() => stageChange({ kind, id, base: base.value, etag: base.etag, body: resource })}
            >
              Stage
            </Button>
          )}
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
          onSave={() => send(base.etag)}
          onClose={endReview}
        />
      )}
      <LeaveGuard blocks={() => unsaved && !save.isSuccess && !isStaged(kind, id, resource)} />
    </Stack>
  );
}
