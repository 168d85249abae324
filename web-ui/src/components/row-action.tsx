import { ActionIcon } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface RowActionProps {
  /** What it does, in a word. */
  readonly title: string;
  /** What it does it to. */
  readonly subject: string;
  readonly icon: Icon;
  /** Why it cannot be done now, in a sentence. */
  readonly refused?: string | undefined;
  readonly onClick?: () => void;
  /** Makes a link of it. */
  readonly renderRoot?: (props: object) => ReactNode;
}

/** A small button at the end of a row. */
export function RowAction({ title, subject, icon: ActionSign, refused, ...more }: RowActionProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={`${title} ${subject}`}
      title={refused ?? title}
      disabled={refused !== undefined}
      {...more}
    >
      <ActionSign size={16} aria-hidden />
    </ActionIcon>
  );
}
