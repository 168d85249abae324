import { UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react';
import classes from '@/components/data-table.module.css';

/** The field that orders a list, with a minus in front for the reverse order. */
export interface Order {
  readonly by: string;
  readonly onChange: (by: string) => void;
}

interface SortButtonProps {
  readonly field: string;
  readonly order: Order;
  readonly children: string;
}

/** The head of a column: orders the list by it, then in reverse. */
export function SortButton({ field, order: { by, onChange }, children }: SortButtonProps) {
  const Arrow = by === field ? IconArrowUp : by === `-${field}` ? IconArrowDown : IconArrowsSort;
  return (
    <UnstyledButton
      className={classes.sort}
      data-on={by === field || by === `-${field}` || undefined}
      onClick={() => onChange(by === field ? `-${field}` : field)}
    >
      {children}
      <Arrow size={14} aria-hidden />
    </UnstyledButton>
  );
}
