import type { ReactNode } from 'react';
import classes from '@/components/mono.module.css';

/** Ids, paths, addresses: what a person compares letter by letter. */
export function Mono({ children, title }: { children: ReactNode; title?: string }) {
  return (
    <span className={classes.mono} title={title}>
      {children}
    </span>
  );
}
