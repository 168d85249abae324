import { Table } from '@mantine/core';
import { useCallback, useState, type ReactNode } from 'react';
import classes from '@/components/table-scroller.module.css';
import { t } from '@/locales';

interface TableScrollerProps {
  /** Narrower than this it scrolls. */
  readonly minWidth: number;
  readonly label: string;
  readonly children: ReactNode;
}

/** Scrolls a table that is too wide, which then takes the focus, as the keyboard could not scroll it otherwise. */
export function TableScroller({ minWidth, label, children }: TableScrollerProps) {
  const [scrolls, setScrolls] = useState(false);
  const [mayScroll, setMayScroll] = useState(false);
  const watch = useCallback((element: HTMLDivElement) => {
    // Where it may scroll its first column is narrower: what fits there does not fit elsewhere.
    let tooNarrow = 0;
    const observer = new ResizeObserver(() => {
      const { scrollWidth, clientWidth } = element;
      if (scrollWidth > clientWidth) {
        tooNarrow = clientWidth;
      }
      setScrolls(scrollWidth > clientWidth);
      setMayScroll(clientWidth <= tooNarrow);
    });
    observer.observe(element);
    const table = element.querySelector('table');
    if (table !== null) {
      observer.observe(table);
    }
    return () => observer.disconnect();
  }, []);
  return (
    <Table.ScrollContainer
      ref={watch}
      minWidth={minWidth}
      type="native"
      className={classes.scroller}
      data-scroller
      data-scrolls={mayScroll || undefined}
      {...(scrolls
        ? { tabIndex: 0, role: 'group', 'aria-label': t('{label}, scrolls sideways', { label }) }
        : {})}
    >
      {children}
    </Table.ScrollContainer>
  );
}
