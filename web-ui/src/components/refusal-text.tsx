import { Text } from '@mantine/core';
import type { Refusal } from '#client';
import { Mono } from '@/components/mono';
import { t } from '@/locales';
import { translateServer } from '@/locales/server';

/** The refusal of a gateway that kept its last good snapshot. */
export function RefusalText({ refusal }: { refusal: Refusal }) {
  return (
    <Text size="xs" mt={4} maw={320}>
      {t('Revision {number}: {message}', {
        number: refusal.revision,
        message: translateServer(refusal.message),
      })}
      {refusal.pointer !== undefined && (
        <>
          {' '}
          <Mono>{refusal.pointer}</Mono>
        </>
      )}
    </Text>
  );
}
