import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useMemo, useRef, useState } from 'react';
import { FieldErrorCode, type FieldError, type Problem } from '#client';
import {
  toDraft,
  toResource,
  withValueAt,
  type Draft,
  type DraftValue,
  type Path,
} from '@/components/form/draft';
import { locateErrors, missingFields, type FieldErrors } from '@/components/form/field-errors';
import { FormContext } from '@/components/form/form-context';
import type { FormSpec, Section } from '@/components/form/field-types';
import { labelsOf } from '@/components/form/field-labels';
import { SectionView } from '@/components/form/section-view';
import { announceFailure } from '@/components/announce-revision';
import { LeaveGuard } from '@/components/leave-guard';
import { ProblemAlert } from '@/components/problem-alert';
import { useHeightVariable } from '@/components/use-height-variable';
import { stageChange } from '@/components/staged/stage-change';
import { usePresent } from '@/components/use-present';
import { ChangeMessage } from '@/features/resources/change-message';
import { ConflictAlert } from '@/features/resources/conflict-alert';
import { GoneAlert } from '@/features/resources/gone-alert';
import { ReviewDialog } from '@/features/resources/review-dialog';
import { resourceForms } from '@/features/resources/resource-forms';
import classes from '@/features/resources/resource-form.module.css';
import { ApiError } from '@/lib/api/api-error';
import type { Answer } from '@/lib/api/client';
import type { Written } from '@/lib/api/resource-api';
import { useSaveResource } from '@/lib/api/save-resource';
import { jsonDiff } from '@/lib/json-diff';
import { pointerOf, stepsOf } from '@/lib/json-pointer';
import { kinds, type Kind, type Resources } from '@/lib/kinds';
import { useReadOnly } from '@/lib/may-change';
import { isStaged, unstage } from '@/lib/staged';
import { many, t } from '@/locales';

const noErrors: FieldErrors = new Map();

interface Editing<T> {
  readonly id: string;
  /** The tag of what the form started from. */
  readonly etag: string | undefined;
  /** What was read last: with another tag when somebody else saved in between. */
  readonly newest: Answer<T>;
  /** Whether somebody has deleted it since. */
  readonly gone: boolean;
  /** Starts again from what is there now. */
  readonly onReload: (newest: Answer<T>) => void;
}

interface ResourceFormProps<K extends Kind> {
  readonly kind: K;
  readonly initial: Partial<Resources[K]>;
  /** What was staged, from which the fields start instead. */
  readonly staged?: object | undefined;
  /** What is edited; undefined creates a resource. */
  readonly editing: Editing<Resources[K]> | undefined;
  /** The title of the one section that is shown, besides those with errors; all are by default. */
  readonly only?: string | undefined;
  /** Tells what was saved, be it that the form has been left. */
  readonly onSaved: (written: Written<Resources[K]>) => void;
  /** Leaves the form. */
  readonly onDone: () => void;
}

/** Creates or edits one resource of any kind. Give it another key for another resource. */
export function ResourceForm<K extends Kind>({
  kind,
  initial,
  staged,
  editing,
  only,
  onSaved,
  onDone,
}: ResourceFormProps<K>) {
  const spec = resourceForms[kind];
  const [base, setBase] = useState<Answer<object>>({ value: initial, etag: editing?.etag });
  const start = useMemo(() => toDraft(spec.fields, base.value), [spec, base]);
  const [draft, setDraft] = useState<Draft>(() =>
    staged === undefined ? start : toDraft(spec.fields, staged),
  );
  const [message, setMessage] = useState('');
  const [errors, setErrors] = useState<FieldErrors>(noErrors);
  const [elsewhere, setElsewhere] = useState<readonly FieldError[]>([]);
  const isPresent = usePresent();
  const save = useSaveResource(kind, {
    onDone: onSaved,
    onFailed: (error) => {
      if (!isPresent()) {
        announceFailure(
          t('The {singular} {id} was not saved', {
            singular: kinds[kind].singular,
            id: editing?.id ?? '',
          }),
          error,
        );
      }
    },
  });
  const readOnly = useReadOnly(kind, editing && (editing.newest.value.labels ?? {}));
  const mayChange = readOnly === undefined;
  const form = useRef<HTMLFormElement>(null);
  const actions = useRef<HTMLDivElement>(null);
  useHeightVariable(actions, '--sigma-actions-height');
  const saved = useRef(false);
  const shownErrors = useRef(noErrors);
  // What is sent, so that a text that was typed and taken back is no change.
  const changes = useMemo(
    () => jsonDiff(toResource(spec.fields, start), toResource(spec.fields, draft)),
    [spec, start, draft],
  );
  const [reviewing, { open: review, close: endReview }] = useDisclosure();
  const gone = editing?.gone === true;

  useEffect(() => {
    if (errors.size > 0 && errors !== shownErrors.current) {
      shownErrors.current = errors;
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-field-error]')?.focus();
    }
  }, [errors]);

  const problemOnTop = save.error !== null && (errors.size === 0 || elsewhere.length > 0);
  useEffect(() => {
    if (problemOnTop) {
      form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'center' });
    }
  }, [problemOnTop]);

  const state = useMemo(
    () => ({
      draft,
      errors,
      creating: editing === undefined,
      readOnly: !mayChange,
      labels: labelsOf(spec),
      change: (path: Path, value: DraftValue) => {
        setDraft((known) => withValueAt(known, path, value) as Draft);
        setErrors((known) => {
          const left = withoutErrorsAt(known, pointerOf(path));
          shownErrors.current = left;
          return left;
        });
      },
    }),
    [draft, errors, editing, mayChange, spec],
  );

  // The shape of the form is the type of the resource (Shape in field-types.ts), so what it gives back has that type.
  const resource = toResource(spec.fields, draft) as unknown as Resources[K];

  /** Shows which required fields are empty. */
  const hasGaps = () => {
    const missing = missingFields(spec, draft);
    setElsewhere([]);
    setErrors(missing);
    return missing.size > 0;
  };

  const send = (ifMatch: string | undefined, sent = resource) => {
    if (sent === resource && hasGaps()) {
      return;
    }
    save.mutate(
      {
        resource: sent,
        id: gone ? undefined : editing?.id,
        ifMatch: gone ? undefined : ifMatch,
        message: message.trim() || undefined,
      },
      {
        onSuccess: () => {
          saved.current = true;
          unstage([{ kind, id: editing?.id ?? sent.id ?? '' }]);
          onDone();
        },
        onError: (error) => {
          endReview();
          const located = locateErrors(
            spec,
            sent === resource ? draft : toDraft(spec.fields, sent),
            error instanceof ApiError ? errorsOf(error.problem) : [],
          );
          setErrors(located.byField);
          setElsewhere(located.elsewhere);
        },
      },
    );
  };

  /** Keeps the change for later, to be published together with others. */
  const stageIt = () => {
    const id = editing?.id ?? resource.id ?? '';
    if (hasGaps()) {
      return;
    }
    if (id === '') {
      setErrors(new Map([['/id', t('An id is needed here: other staged changes may refer to it.')]]));
      return;
    }
    const before = editing === undefined ? undefined : toResource(spec.fields, start);
    if (stageChange({ kind, id, base: before, etag: base.etag, body: resource })) {
      saved.current = true;
      onDone();
    }
  };

  /** Goes on from what the other one saved, with the merge in the fields. */
  const takeMerge = (merged: object, newest: Answer<object>, then: 'save' | 'edit') => {
    setBase({ value: newest.value, etag: newest.etag });
    setDraft(toDraft(spec.fields, merged));
    setErrors(noErrors);
    save.reset();
    if (then === 'save') {
      send(newest.etag, merged as Resources[K]);
    }
  };

  const refused = save.error instanceof ApiError && save.error.status === 412;
  // While this form saves, the other tag is its own.
  const overtaken =
    editing !== undefined && editing.newest.etag !== base.etag && (save.isIdle || save.isError);
  if (overtaken && save.isIdle && changes.length === 0 && staged === undefined) {
    // Nothing was typed that could be lost: the fields show what is there now, and keep the focus.
    setBase(editing.newest);
    setDraft(toDraft(spec.fields, editing.newest.value));
  }
  const showProblem = problemOnTop && !refused;

  return (
    <FormContext value={state}>
      <form
        ref={form}
        noValidate
        aria-label={t(editing === undefined ? 'New {kind}' : 'Edit {kind}', { kind: kinds[kind].singular })}
        onSubmit={(event) => {
          event.preventDefault();
          send(base.etag);
        }}
      >
        <Stack gap="md">
          {gone && mayChange && <GoneAlert kind={kind} />}
          {editing !== undefined && !gone && (refused || overtaken) && (
            <ConflictAlert
              kind={kind}
              id={editing.id}
              read={base.value}
              mine={toResource(spec.fields, draft)}
              refused={refused}
              shaped={(read) => toResource(spec.fields, toDraft(spec.fields, read))}
              onMerge={takeMerge}
              onReload={editing.onReload}
              onOverwrite={(etag) => send(etag)}
            />
          )}
          {showProblem && <ProblemAlert error={save.error} errors={elsewhere} />}
          {sectionsOf(spec, only, errors).map((section) => (
            <SectionView key={section.title} spec={spec} section={section} />
          ))}
        </Stack>
        <div ref={actions} className={classes.actions}>
          {mayChange ? (
            <ChangeMessage value={message} onChange={setMessage} />
          ) : (
            <Text size="sm" c="dimmed">
              {readOnly}
            </Text>
          )}
          <Group gap="xs">
            <Button variant="default" onClick={onDone} disabled={save.isPending}>
              {mayChange ? t('Cancel') : t('Back')}
            </Button>
            {mayChange && editing !== undefined && !gone && changes.length > 0 && (
              <Button variant="default" onClick={() => hasGaps() || review()} disabled={save.isPending}>
                {many(changes.length, 'Review {count} change', 'Review {count} changes')}
              </Button>
            )}
            {mayChange && !gone && (editing === undefined || changes.length > 0) && (
              <Button variant="default" onClick={stageIt} disabled={save.isPending}>
                {t('Stage')}
              </Button>
            )}
            {mayChange && (
              <Button type="submit" loading={save.isPending}>
                {editing === undefined
                  ? t('Create {singular}', { singular: kinds[kind].singular })
                  : gone
                    ? t('Create it again')
                    : t('Save')}
              </Button>
            )}
          </Group>
        </div>
      </form>
      {editing !== undefined && (
        <ReviewDialog
          opened={reviewing}
          kind={kind}
          id={editing.id}
          resource={resource}
          changes={changes}
          saving={save}
          onSave={() => send(base.etag)}
          onClose={endReview}
        />
      )}
      <LeaveGuard
        blocks={() =>
          !saved.current && changes.length > 0 && !isStaged(kind, editing?.id ?? resource.id ?? '', resource)
        }
      />
    </FormContext>
  );
}

function sectionsOf(spec: FormSpec, only: string | undefined, errors: FieldErrors): readonly Section[] {
  const wrong = new Set([...errors.keys()].map((pointer) => stepsOf(pointer)[0] ?? ''));
  return only === undefined
    ? spec.sections
    : spec.sections
        .filter(({ title, fields }) => title === only || fields.some((field) => wrong.has(field)))
        .map((section) => ({
          ...section,
          collapsed: false,
          title: section.title === only ? t('Set at this level') : section.title,
        }));
}

/** What is wrong with which field; an id that is taken is wrong with the id. */
function errorsOf({ status, detail, title, errors = [] }: Problem): readonly FieldError[] {
  return status === 409 && errors.length === 0
    ? [{ pointer: '/id', detail: detail ?? title, code: FieldErrorCode.Conflict }]
    : errors;
}

function withoutErrorsAt(errors: FieldErrors, pointer: string): FieldErrors {
  const left = [...errors].filter(([at]) => at !== pointer && !at.startsWith(`${pointer}/`));
  return left.length === errors.size ? errors : new Map(left);
}
