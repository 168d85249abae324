import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { announceFailure, announceRevision } from '@/components/announce-revision';
import { DialogForm, FormDialog } from '@/components/form-dialog';
import { Mono } from '@/components/mono';
import { usePresent } from '@/components/use-present';
import { previewRemoval, useRemoveImport } from '@/lib/api/remove-import';
import { many, rich, t } from '@/locales';

interface QuestionProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Keep it mounted while it is closed: that is how the focus finds its way back. */
export function RemoveImportDialog({ opened, ...question }: QuestionProps & { readonly opened: boolean }) {
  return (
    <FormDialog title={t('Remove the imported API?')} opened={opened} onClose={question.onClose}>
      <Question {...question} />
    </FormDialog>
  );
}

function Question({ id, onClose }: QuestionProps) {
  const preview = useQuery(previewRemoval(id));
  const isPresent = usePresent();
  const removal = useRemoveImport({
    onDone: ({ revision }) => announceRevision(t('Removed the API {id}', { id }), revision),
    onFailed: (error) => {
      if (isPresent()) {
        void preview.refetch();
      } else {
        announceFailure(t('The API {id} was not removed', { id }), error);
      }
    },
  });
  const deleted = preview.data?.value.deleted;
  return (
    <DialogForm
      dangerous
      action={t('Remove')}
      saving={{ error: removal.error ?? preview.error, isPending: removal.isPending }}
      disabled={deleted === undefined || preview.isFetching}
      onSubmit={() => removal.mutate({ id, ifMatch: preview.data?.etag }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text size="sm">
        {deleted === undefined
          ? rich(
              'Everything of {id}, with all additions, is deleted in one revision. Gateways stop using it at once. Earlier revisions keep it.',
              { id: <Mono>{id}</Mono> },
            )
          : rich(
              'The {what} of {id}, with all additions, will be deleted in one revision. Gateways stop using them at once. Earlier revisions keep them.',
              { what: many(deleted, '{count} resource', '{count} resources'), id: <Mono>{id}</Mono> },
            )}
      </Text>
    </DialogForm>
  );
}
