import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ProblemAlert } from '@/components/problem-alert';

interface ConfirmDialogProps {
  readonly title: string;
  readonly action: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly error: Error | null;
  readonly pending: boolean;
  readonly children: ReactNode;
}

/** Asks before something is gone. Keep it mounted while it is closed, for the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={props.title}
      centered
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack>
        <Text size="sm">{props.children}</Text>
        {props.error !== null && <ProblemAlert error={props.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={props.pending} onClick={props.onConfirm}>
            {props.action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
