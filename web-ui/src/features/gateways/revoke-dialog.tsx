import { List, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DialogForm, FormDialog } from '@/components/form-dialog';
import { useRevokeGateway } from '@/lib/api/gateway-revocations';
import { t } from '@/locales';

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
      title={id === undefined ? t('Revoke a gateway by name') : t('Revoke gateway {id}?', { id })}
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
      action={t('Revoke')}
      saving={revocation}
      onSubmit={() =>
        revocation.mutate({ id: id ?? name, reason: reason.trim() || undefined }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      {id === undefined && (
        <TextInput
          label={t('Gateway')}
          description={t(
            'The id of the gateway, as in the list of gateways, its certificate or its log. The gateway need not be connected.',
          )}
          value={name}
          onChange={(event) => setName(event.currentTarget.value.trim())}
          required
          pattern={ID}
          title={t('Letters, digits, dots, hyphens and underscores')}
          maxLength={ID_LENGTH_MAX}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
      )}
      <Text size="sm">
        {t(
          'Every control plane closes the connection of the gateway at once and accepts none of its certificates. Until the gateway is readmitted, it cannot renew a certificate or enroll, not even with the join token.',
        )}
      </Text>
      <List size="sm" spacing={4}>
        <List.Item>
          {t('The gateway keeps serving its last good snapshot. Stop it on its own machine.')}
        </List.Item>
        <List.Item>
          {t(
            'A holder of the join token can enroll under another name. If the token may have leaked, give the control planes a new token.',
          )}
        </List.Item>
      </List>
      <TextInput
        label={t('Reason')}
        description={t('Other admins see it with the revocation.')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        maxLength={500}
        autoComplete="off"
      />
    </DialogForm>
  );
}
