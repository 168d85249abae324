import { useQuery } from '@tanstack/react-query';
import { FieldChanges } from '@/components/diff-table';
import { DialogForm, FormDialog } from '@/components/form-dialog';
import { QueryView } from '@/components/query-view';
import { TrialResult } from '@/components/trial-result';
import { previewBatch } from '@/lib/api/batch';
import type { FieldChange } from '@/lib/json-diff';
import { kinds, type Kind, type Resources } from '@/lib/kinds';
import { t } from '@/locales';

interface ReviewProps<K extends Kind> {
  readonly kind: K;
  readonly id: string;
  readonly resource: Resources[K];
  readonly changes: readonly FieldChange[];
  readonly saving: { readonly error: Error | null; readonly isPending: boolean };
  readonly onSave: () => void;
  readonly onClose: () => void;
}

/** What a save changes, and what the analysis and the gateways say to it before it is done. Keep it mounted, for the focus. */
export function ReviewDialog<K extends Kind>({
  opened,
  ...review
}: ReviewProps<K> & { readonly opened: boolean }) {
  return (
    <FormDialog
      opened={opened}
      onClose={review.onClose}
      size="xl"
      title={t('Review of {singular} {id}', { singular: kinds[review.kind].singular, id: review.id })}
    >
      <Review {...review} />
    </FormDialog>
  );
}

function Review<K extends Kind>({ kind, id, resource, changes, saving, onSave, onClose }: ReviewProps<K>) {
  const trial = useQuery(
    previewBatch([{ action: 'PUT', kind: kinds[kind].contractKind, id, body: resource }]),
  );
  return (
    <DialogForm action={t('Save')} saving={{ ...saving, error: null }} onSubmit={onSave} onClose={onClose}>
      <FieldChanges changes={changes} />
      <div role="region" aria-label={t('Dry run of the save')}>
        <QueryView query={{ ...trial, data: trial.isError ? undefined : trial.data }} lines={2}>
          {({ revision }) => <TrialResult revision={revision} />}
        </QueryView>
      </div>
    </DialogForm>
  );
}
