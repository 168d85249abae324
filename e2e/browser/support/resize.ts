import type { Page } from '@playwright/test';

/** Makes the window so wide, and waits until what moves for that has come to rest. */
export async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 850 });
  await page.waitForFunction(() =>
    document.getAnimations().every((animation) => !(animation instanceof CSSTransition)),
  );
}
