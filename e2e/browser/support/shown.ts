import type { Page } from '@playwright/test';

declare global {
  interface Window {
    sigmaShown?: Promise<number>;
  }
}

/** What an act shows: the first element of this selector whose text matches. */
export interface Shown {
  readonly selector: string;
  readonly text?: RegExp;
}

type Begin = 'click' | 'keydown' | 'input' | 'navigation';

/**
 * Returns how long a person waits for what an act shows, in milliseconds: from the event in the page to the frame in which
 * it is there. The tests' own waits look again after up to half a second.
 */
export async function millisUntilShown(
  page: Page,
  begin: Begin,
  act: () => Promise<unknown>,
  { selector, text }: Shown,
): Promise<number> {
  const wanted = { begin, selector, text: text?.source ?? '' };
  await (begin === 'navigation' ? page.addInitScript(watch, wanted) : page.evaluate(watch, wanted));
  await act();
  const millis = await page.evaluate(() => window.sigmaShown);
  if (millis === undefined) {
    throw new Error(`nobody watches for ${selector}`);
  }
  return millis;
}

/** Runs in the page. */
function watch({ begin, selector, text }: { begin: Begin; selector: string; text: string }): void {
  window.sigmaShown = new Promise((resolve) => {
    let start = begin === 'navigation' ? 0 : undefined;
    const isShown = () =>
      Array.from(document.querySelectorAll(selector)).some(
        (element) => element.getClientRects().length > 0 && new RegExp(text).test(element.textContent),
      );
    const observer = new MutationObserver(() => {
      const from = start;
      if (from !== undefined && isShown()) {
        observer.disconnect();
        requestAnimationFrame(() => {
          setTimeout(() => {
            resolve(performance.now() - from);
          });
        });
      }
    });
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
    if (begin !== 'navigation') {
      const note = ({ timeStamp }: Event) => (start ??= timeStamp);
      addEventListener(begin, note, { capture: true, once: true });
    }
  });
}
