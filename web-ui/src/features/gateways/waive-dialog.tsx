import { List, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DialogForm, FormDialog } from '@/components/form-dialog';
import { useWaiveGateway } from '@/lib/api/gateway-waivers';
import { t } from '@/locales';

interface WaiveDialogProps {
  readonly id: string;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Says what it means to go on without a gateway that refuses the newest revision, and does it. */
export function WaiveDialog({ id, opened, onClose }: WaiveDialogProps) {
  return (
    <FormDialog title={t('Waive gateway {id}?', { id })} opened={opened} onClose={onClose}>
      <WaiveForm id={id} onClose={onClose} />
    </FormDialog>
  );
}

function WaiveForm({ id, onClose }: Omit<WaiveDialogProps, 'opened'>) {
  const waiver = useWaiveGateway();
  const [reason, setReason] = useState('');
  return (
    <DialogForm
      dangerous
      action={t('Waive')}
      saving={waiver}
      onSubmit={() => waiver.mutate({ id, reason: reason.trim() || undefined }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text size="sm">
        {t(
          'Writes succeed although this gateway refuses the newest revision. Use this if the fault is on the gateway, such as a missing file or a port that another program uses.',
        )}
      </Text>
      <List size="sm" spacing={4}>
        <List.Item>
          {t('The gateway keeps serving its last good snapshot, so it differs from the other gateways.')}
        </List.Item>
        <List.Item>{t('The waiver ends when the gateway serves the newest revision.')}</List.Item>
      </List>
      <TextInput
        label={t('Reason')}
        description={t('Other admins see it with the waiver and in the audit log.')}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        maxLength={500}
        autoComplete="off"
      />
    </DialogForm>
  );
}
