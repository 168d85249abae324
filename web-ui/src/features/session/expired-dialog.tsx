import { Button, Modal, Stack, Text } from '@mantine/core';
import { LoginForms } from '@/features/session/login-forms';
import { endSession, useSession } from '@/lib/session';
import { t } from '@/locales';

const ABOVE_OTHER_DIALOGS = 400;

/** Asks for a login over the page, so that what was typed there outlives the session. */
export function ExpiredDialog() {
  const { expired } = useSession();
  return (
    <Modal
      opened={expired}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('Log in to Sigma again')}
      zIndex={ABOVE_OTHER_DIALOGS}
      centered
    >
      <Stack>
        <LoginForms />
        <Text size="sm" c="dimmed">
          {t('The page below keeps your input. It is lost if another user logs in.')}
        </Text>
        <Button variant="default" onClick={() => endSession()}>
          {t('Leave the page')}
        </Button>
      </Stack>
    </Modal>
  );
}
