import type { ReactNode } from 'react';
import classes from '@/components/mono.module.css';

interface MonoProps {
  readonly children: ReactNode;
  readonly title?: string;
  /** Never broken into two lines. */
  readonly whole?: boolean;
  /** Broken anywhere, so that it does not push other columns out of sight. */
  readonly long?: boolean;
}

/** Ids, paths, addresses: what a person compares letter by letter. */
export function Mono({ children, title, whole = false, long = false }: MonoProps) {
  const breaks = whole ? classes.whole : long ? classes.long : undefined;
  return (
    <span className={breaks === undefined ? classes.mono : `${classes.mono} ${breaks}`} title={title}>
      {children}
    </span>
  );
}
