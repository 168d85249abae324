import { useEffect, type RefObject } from 'react';

/** Keeps the height of an element in a variable of CSS, for what must not cover it. */
export function useHeightVariable(
  element: RefObject<HTMLElement | null>,
  variable: `--sigma-${string}`,
): void {
  useEffect(() => {
    const { current } = element;
    if (current === null) {
      return undefined;
    }
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty(variable, `${current.offsetHeight}px`));
    observer.observe(current);
    return () => {
      observer.disconnect();
      style.removeProperty(variable);
    };
  }, [element, variable]);
}
