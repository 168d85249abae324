import { notifications } from '@mantine/notifications';
import type { RevisionResult } from '#client';
import { RevisionNotice } from '@/components/revision-notice';
import { revisionOutcome } from '@/components/revision-outcome';
import { t } from '@/locales';

const SHOWN_MILLIS = 7_000;

/** Tells what became of a write: the revision, and what the gateways said to it. */
export function announceRevision(title: string, revision: RevisionResult): void {
  const outcome = revisionOutcome(revision);
  notifications.show({
    title,
    message: <RevisionNotice outcome={outcome} />,
    color:
      outcome.trouble.length > 0
        ? 'red'
        : outcome.doubts.length + outcome.findings.length > 0
          ? 'yellow'
          : 'green',
    // Trouble stays until somebody has seen it.
    autoClose: outcome.trouble.length > 0 ? false : SHOWN_MILLIS,
    closeButtonProps: { 'aria-label': t('Dismiss') },
  });
}

/** Tells that a write failed to somebody who has left the page on which it was asked for. It stays until it was seen. */
export function announceFailure(title: string, error: Error): void {
  notifications.show({
    title,
    message: error.message,
    color: 'red',
    autoClose: false,
    closeButtonProps: { 'aria-label': t('Dismiss') },
  });
}
