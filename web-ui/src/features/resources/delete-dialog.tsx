import { Alert, Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { Mono } from '@/components/mono';
import { ProblemAlert } from '@/components/problem-alert';
import { ResourceLink } from '@/components/resource-link';
import { announceRevision } from '@/components/announce-revision';
import { ApiError } from '@/lib/api/api-error';
import { useDeleteResource } from '@/lib/api/delete-resource';
import { kindOf, kinds, type Kind } from '@/lib/kinds';

interface DeleteQuestionProps {
  readonly kind: Kind;
  readonly id: string;
  /** Only what this tag names is deleted; undefined deletes whatever is there. */
  readonly ifMatch: string | undefined;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}

interface DeleteDialogProps extends DeleteQuestionProps {
  readonly opened: boolean;
}

/** Keep it mounted while it is closed: that is how the focus finds its way back. */
export function DeleteDialog({ opened, ...question }: DeleteDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={question.onClose}
      title={`Delete ${kinds[question.kind].singular}?`}
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <DeleteQuestion {...question} />
    </Modal>
  );
}

function DeleteQuestion({ kind, id, ifMatch, onClose, onDeleted }: DeleteQuestionProps) {
  const deletion = useDeleteResource(kind);
  const { singular } = kinds[kind];
  const { error } = deletion;
  const referrers = error instanceof ApiError && error.status === 409 ? error.problem.referrers : undefined;

  const confirm = () =>
    deletion.mutate(
      { id, ifMatch },
      {
        onSuccess: ({ value }) => {
          announceRevision(`Deleted ${singular} ${id}`, value.revision);
          onClose();
          onDeleted?.();
        },
      },
    );

  return (
    <Stack>
      <Text size="sm">
        <Mono>{id}</Mono> is removed from the configuration, and gateways stop using it at once. The revisions
        keep what it was.
      </Text>
      {referrers !== undefined && referrers.length > 0 ? (
        <Alert color="red" icon={<IconLink />} role="alert" title={`Still in use, so it was not deleted`}>
          First change or delete what refers to it:
          <List size="sm" mt="xs">
            {referrers.map((referrer) => (
              <List.Item key={`${referrer.kind} ${referrer.id}`}>
                {kinds[kindOf(referrer.kind)].singular}{' '}
                <ResourceLink kind={kindOf(referrer.kind)} id={referrer.id} />
              </List.Item>
            ))}
          </List>
        </Alert>
      ) : (
        error !== null && <ProblemAlert error={error} />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-autofocus>
          {referrers === undefined ? 'Cancel' : 'Close'}
        </Button>
        <Button color="red" loading={deletion.isPending} onClick={confirm}>
          Delete
        </Button>
      </Group>
    </Stack>
  );
}
