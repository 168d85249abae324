import { Button, Group, Modal, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { t } from '@/locales';

interface LeaveGuardProps {
  /** Whether something would be lost now. */
  readonly blocks: () => boolean;
  /** Whether another address of the same page keeps what was typed. */
  readonly survivesSearch?: boolean;
}

/** Asks before what was typed is lost, whichever way the page is left. */
export function LeaveGuard({ blocks, survivesSearch = false }: LeaveGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => blocks() && !(survivesSearch && current.pathname === next.pathname),
    enableBeforeUnload: blocks,
    withResolver: true,
  });
  const stay = () => blocker.reset?.();
  return (
    <Modal
      opened={blocker.status === 'blocked'}
      onClose={stay}
      title={t('Leave without saving?')}
      centered
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <Text size="sm">{t('Your input in this form will be lost.')}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={stay} data-autofocus>
          {t('Stay')}
        </Button>
        <Button color="red" onClick={() => blocker.proceed?.()}>
          {t('Leave')}
        </Button>
      </Group>
    </Modal>
  );
}
