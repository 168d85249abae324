import { Alert } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { kinds, type Kind } from '@/lib/kinds';
import { t } from '@/locales';

/** Somebody deleted what is on the screen. */
export function GoneAlert({ kind }: { kind: Kind }) {
  return (
    <Alert
      color="yellow"
      icon={<IconTrash />}
      role="alert"
      title={t('Another user deleted this {singular}', { singular: kinds[kind].singular })}
    >
      {t('The form shows the deleted version with your input. You can create it again from this form.')}
    </Alert>
  );
}
