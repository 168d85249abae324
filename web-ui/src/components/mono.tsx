import { Fragment, type ReactNode } from 'react';
import classes from '@/components/mono.module.css';

interface MonoProps {
  readonly children: ReactNode;
  readonly title?: string;
  /** Never broken into two lines. */
  readonly whole?: boolean;
  /** Broken anywhere, so that it does not push other columns out of sight. */
  readonly long?: boolean;
  /** Its line breaks are kept. */
  readonly lines?: boolean;
}

/** Ids, paths, addresses: what a person compares letter by letter. */
export function Mono({ children, title, whole = false, long = false, lines = false }: MonoProps) {
  const breaks = whole ? classes.whole : long ? classes.long : lines ? classes.lines : undefined;
  return (
    <span className={breaks === undefined ? classes.mono : `${classes.mono} ${breaks}`} title={title}>
      {long && typeof children === 'string' ? withBreaks(children) : children}
    </span>
  );
}

/** A path or a host is rather broken between its segments than within one. */
function withBreaks(text: string): ReactNode {
  return text.split(/(?<=[/.])/).map((part, at) => (
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
