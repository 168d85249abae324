import { Alert, Button, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { announceFailure, announceRevision } from '@/components/announce-revision';
import { FormDialog, useKeepsDialogOpen } from '@/components/form-dialog';
import { Mono } from '@/components/mono';
import { ProblemAlert } from '@/components/problem-alert';
import { ResourceLink } from '@/components/resource-link';
import { stageChange } from '@/components/staged/stage-change';
import { usePresent } from '@/components/use-present';
import { ApiError } from '@/lib/api/api-error';
import { useDeleteResource } from '@/lib/api/delete-resource';
import { getResource } from '@/lib/api/get-resource';
import { kindOf, kinds, type Kind } from '@/lib/kinds';
import { rich, t } from '@/locales';

interface DeleteQuestionProps {
  readonly kind: Kind;
  readonly id: string;
  readonly onClose: () => void;
  readonly onDeleted?: () => void;
}

interface DeleteDialogProps extends DeleteQuestionProps {
  readonly opened: boolean;
}

/** Keep it mounted while it is closed: that is how the focus finds its way back. */
export function DeleteDialog({ opened, ...question }: DeleteDialogProps) {
  return (
    <FormDialog
      opened={opened}
      onClose={question.onClose}
      title={t('Delete {singular}?', { singular: kinds[question.kind].singular })}
    >
      <DeleteQuestion {...question} />
    </FormDialog>
  );
}

function DeleteQuestion({ kind, id, onClose, onDeleted }: DeleteQuestionProps) {
  const { singular } = kinds[kind];
  const newest = useQuery(getResource(kind, id));
  // Of what was there when the question came: what somebody makes of it meanwhile is not deleted unseen.
  const [tag, setTag] = useState(newest.data?.etag);
  if (tag === undefined && newest.data?.etag !== undefined) {
    setTag(newest.data.etag);
  }
  const [message, setMessage] = useState('');
  const isPresent = usePresent();
  const deletion = useDeleteResource(kind, {
    onDone: ({ revision }) => announceRevision(t('Deleted {singular} {id}', { singular, id }), revision),
    onFailed: (error) => {
      if (!isPresent()) {
        announceFailure(t('The {singular} {id} was not deleted', { singular, id }), error);
      } else if (isOvertaken(error)) {
        void newest.refetch().then(({ data }) => setTag(data?.etag));
      }
    },
  });
  useKeepsDialogOpen(deletion.isPending);
  const error = deletion.error ?? newest.error;
  const referrers = error instanceof ApiError && error.status === 409 ? error.problem.referrers : undefined;

  const confirm = () =>
    deletion.mutate(
      { id, ifMatch: tag, message: message.trim() || undefined },
      {
        onSuccess: () => {
          onClose();
          onDeleted?.();
        },
      },
    );

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        confirm();
      }}
    >
      <Stack>
        <Text size="sm">
          {rich(
            '{id} is removed from the configuration. Gateways stop using it at once. Earlier revisions keep it.',
            { id: <Mono>{id}</Mono> },
          )}
        </Text>
        <TextInput
          label={t('Why')}
          description={t('Stored with the new revision (optional).')}
          value={message}
          maxLength={500}
          autoComplete="off"
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        {referrers !== undefined && referrers.length > 0 ? (
          <Alert
            color="red"
            icon={<IconLink />}
            role="alert"
            title={t('The resource is still in use and was not deleted')}
          >
            {t('First change or delete the resources that refer to this one:')}
            <List size="sm" mt="xs">
              {referrers.map((referrer) => (
                <List.Item key={`${referrer.kind} ${referrer.id}`}>
                  {kinds[kindOf(referrer.kind)].singular}{' '}
                  <ResourceLink kind={kindOf(referrer.kind)} id={referrer.id} />
                </List.Item>
              ))}
            </List>
          </Alert>
        ) : isOvertaken(error) ? (
          <Alert
            color="yellow"
            role="alert"
            title={t('Another user changed this {singular} in the meantime', { singular })}
          >
            {t('Nothing was deleted. To delete the changed resource, choose Delete again.')}
          </Alert>
        ) : (
          error !== null && <ProblemAlert error={error} />
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={deletion.isPending} data-autofocus>
            {referrers === undefined ? t('Cancel') : t('Close')}
          </Button>
          <Button
            variant="default"
            disabled={tag === undefined || deletion.isPending}
            onClick={() => {
              if (stageChange({ kind, id, base: newest.data?.value, etag: tag, body: undefined })) {
                onClose();
              }
            }}
          >
            {t('Stage')}
          </Button>
          <Button type="submit" color="red" loading={deletion.isPending} disabled={tag === undefined}>
            {t('Delete')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function isOvertaken(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 412;
}
