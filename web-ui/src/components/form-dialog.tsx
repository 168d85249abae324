import { Button, Group, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemAlert } from '@/components/problem-alert';

interface FormDialogProps {
  readonly title: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly closeOnClickOutside?: boolean;
  readonly children: ReactNode;
}

/** Keep it mounted while it is closed: that is how the focus finds its way back. */
export function FormDialog({ children, ...modal }: FormDialogProps) {
  return (
    <Modal centered closeButtonProps={{ 'aria-label': 'Close' }} {...modal}>
      {children}
    </Modal>
  );
}

interface DialogFormProps {
  readonly action: string;
  /** Of what is gone or undone by it. */
  readonly dangerous?: boolean;
  readonly saving: { readonly error: Error | null; readonly isPending: boolean };
  readonly disabled?: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** What is filled in, what went wrong, and the two ways out. */
export function DialogForm({
  action,
  dangerous = false,
  saving,
  disabled,
  onSubmit,
  onClose,
  children,
}: DialogFormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Stack>
        {children}
        {saving.error !== null && <ProblemAlert error={saving.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus={dangerous || undefined}>
            Cancel
          </Button>
          <Button
            type="submit"
            color={dangerous ? 'red' : undefined}
            loading={saving.isPending}
            disabled={disabled}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
