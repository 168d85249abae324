import type { ReactNode } from 'react';
import classes from '@/components/mono.module.css';

interface MonoProps {
  readonly children: ReactNode;
  readonly title?: string;
  /** Never broken into two lines. */
  readonly whole?: boolean;
}

/** Ids, paths, addresses: what a person compares letter by letter. */
export function Mono({ children, title, whole }: MonoProps) {
  return (
    <span className={whole === true ? `${classes.mono} ${classes.whole}` : classes.mono} title={title}>
      {children}
    </span>
  );
}
