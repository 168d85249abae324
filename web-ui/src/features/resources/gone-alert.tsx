import { Alert } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { kinds, type Kind } from '@/lib/kinds';

/** Somebody deleted what is on the screen. */
export function GoneAlert({ kind }: { kind: Kind }) {
  return (
    <Alert
      color="yellow"
      icon={<IconTrash />}
      role="alert"
      title={`Another user deleted this ${kinds[kind].singular}`}
    >
      The form shows the deleted version with your input. You can create it again from this form.
    </Alert>
  );
}
