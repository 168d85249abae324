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
      title={`Somebody deleted this ${kinds[kind].singular}`}
    >
      The form shows how it was, with what you typed. It can be created again from that.
    </Alert>
  );
}
