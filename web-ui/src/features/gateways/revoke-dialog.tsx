import { List, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DialogForm, FormDialog } from '@/components/form-dialog';
import { useRevokeGateway } from '@/lib/api/gateway-revocations';

const ID = '[A-Za-z0-9._\\-]+';
const ID_LENGTH_MAX = 64;

interface RevokeDialogProps {
  /** Undefined for one that is not listed, which is asked for. */
  readonly id: string | undefined;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Says what it means to shut a gateway out, and does it. */
export function RevokeDialog({ id, opened, onClose }: RevokeDialogProps) {
  return (
    <FormDialog
      title={id === undefined ? 'Revoke a gateway by name' : `Revoke gateway ${id}?`}
      opened={opened}
      onClose={onClose}
    >
      <RevokeForm id={id} onClose={onClose} />
    </FormDialog>
  );
}

function RevokeForm({ id, onClose }: Omit<RevokeDialogProps, 'opened'>) {
  const revocation = useRevokeGateway();
  const [name, setName] = useState('');
  const [reason, setReason] = useState('');
  return (
    <DialogForm
      dangerous
      action="Revoke"
      saving={revocation}
      onSubmit={() =>
        revocation.mutate({ id: id ?? name, reason: reason.trim() || undefined }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      {id === undefined && (
        <TextInput
          label="Gateway"
          description="Its id, as it was listed, or as its certificate and its log name it. It need not be there now."
          value={name}
          onChange={(event) => setName(event.currentTarget.value.trim())}
          required
          pattern={ID}
          title="Letters, digits, dots, hyphens and underscores"
          maxLength={ID_LENGTH_MAX}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
      )}
      <Text size="sm">
        Every control plane closes its connection at once and takes no certificate of it any more. It can
        neither renew nor enroll, also not with the join token, until it is readmitted.
      </Text>
      <List size="sm" spacing={4}>
        <List.Item>It goes on with what it serves last: stop it where it runs.</List.Item>
        <List.Item>
          Whoever knows the join token can come under another name: give the control planes another token if
          it may be known.
        </List.Item>
      </List>
      <TextInput
        label="Reason"
        description="Kept with the revocation, for other admins."
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        maxLength={500}
        autoComplete="off"
      />
    </DialogForm>
  );
}
