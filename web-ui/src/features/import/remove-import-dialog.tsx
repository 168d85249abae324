import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { announceFailure, announceRevision } from '@/components/announce-revision';
import { DialogForm, FormDialog } from '@/components/form-dialog';
import { Mono } from '@/components/mono';
import { usePresent } from '@/components/use-present';
import { previewRemoval, useRemoveImport } from '@/lib/api/remove-import';

interface QuestionProps {
  readonly id: string;
  readonly onClose: () => void;
}

/** Keep it mounted while it is closed: that is how the focus finds its way back. */
export function RemoveImportDialog({ opened, ...question }: QuestionProps & { readonly opened: boolean }) {
  return (
    <FormDialog title="Remove the imported API?" opened={opened} onClose={question.onClose}>
      <Question {...question} />
    </FormDialog>
  );
}

function Question({ id, onClose }: QuestionProps) {
  const preview = useQuery(previewRemoval(id));
  const isPresent = usePresent();
  const removal = useRemoveImport({
    onDone: ({ revision }) => announceRevision(`Removed the API ${id}`, revision),
    onFailed: (error) => {
      if (isPresent()) {
        void preview.refetch();
      } else {
        announceFailure(`The API ${id} was not removed`, error);
      }
    },
  });
  const deleted = preview.data?.value.deleted;
  return (
    <DialogForm
      dangerous
      action="Remove"
      saving={{ error: removal.error ?? preview.error, isPending: removal.isPending }}
      disabled={deleted === undefined || preview.isFetching}
      onSubmit={() => removal.mutate({ id, ifMatch: preview.data?.etag }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text size="sm">
        {deleted === undefined ? 'Everything' : `All ${deleted} resources`} of <Mono>{id}</Mono>, with all
        additions to them, are deleted in one revision. Gateways stop using them at once. Earlier revisions
        keep them.
      </Text>
    </DialogForm>
  );
}
