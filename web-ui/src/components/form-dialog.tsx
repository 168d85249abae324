import { Button, Group, Modal, Stack } from '@mantine/core';
import { createContext, use, useEffect, useState, type ReactNode } from 'react';
import { ProblemAlert } from '@/components/problem-alert';
import { useSession } from '@/lib/session';
import { t } from '@/locales';

/** Tells the dialog around it whether something is under way. */
const BusyContext = createContext<(busy: boolean) => void>(() => undefined);

/** Keeps the dialog around it open while this is so, as what comes of it is shown there. */
export function useKeepsDialogOpen(busy: boolean): void {
  const report = use(BusyContext);
  useEffect(() => {
    report(busy);
    return () => report(false);
  }, [report, busy]);
}

interface FormDialogProps {
  readonly title: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly closeOnClickOutside?: boolean;
  readonly size?: string;
  readonly children: ReactNode;
}

/** Keep it mounted while it is closed: that is how the focus finds its way back. */
export function FormDialog({ children, closeOnClickOutside = true, ...modal }: FormDialogProps) {
  const [busy, setBusy] = useState(false);
  const { expired } = useSession();
  return (
    <Modal
      centered
      closeButtonProps={{ 'aria-label': t('Close'), disabled: busy }}
      // Nor by a key that is meant for the login above it.
      closeOnEscape={!busy && !expired}
      closeOnClickOutside={closeOnClickOutside && !busy}
      {...modal}
    >
      <BusyContext value={setBusy}>{children}</BusyContext>
    </Modal>
  );
}

interface DialogFormProps {
  readonly action: string;
  /** Of what is gone or undone by it. */
  readonly dangerous?: boolean;
  readonly saving: { readonly error: Error | null; readonly isPending: boolean };
  readonly disabled?: boolean;
  /** Another way to do it, beside the button that does it. */
  readonly aside?: ReactNode;
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
  aside,
  onSubmit,
  onClose,
  children,
}: DialogFormProps) {
  useKeepsDialogOpen(saving.isPending);
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
          <Button
            variant="default"
            onClick={onClose}
            disabled={saving.isPending}
            data-autofocus={dangerous || undefined}
          >
            {t('Cancel')}
          </Button>
          {aside}
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
