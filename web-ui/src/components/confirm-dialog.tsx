import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { DialogForm, FormDialog } from '@/components/form-dialog';

interface ConfirmDialogProps {
  readonly title: string;
  readonly action: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly doing: { readonly error: Error | null; readonly isPending: boolean };
  readonly children: ReactNode;
}

/** Asks before something is gone. Keep it mounted while it is closed, for the focus. */
export function ConfirmDialog({
  title,
  action,
  opened,
  onClose,
  onConfirm,
  doing,
  children,
}: ConfirmDialogProps) {
  return (
    <FormDialog title={title} opened={opened} onClose={onClose}>
      <DialogForm dangerous action={action} saving={doing} onSubmit={onConfirm} onClose={onClose}>
        <Text size="sm">{children}</Text>
      </DialogForm>
    </FormDialog>
  );
}
