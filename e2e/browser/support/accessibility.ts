import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Fails on serious and critical findings of axe on the page as it is, each with its element and the reason. */
export async function expectNoViolations(page: Page): Promise<void> {
  // Colours on their way from one to the other are neither.
  await page.waitForFunction(() =>
    document.getAnimations().every((animation) => !(animation instanceof CSSTransition)),
  );
  const { violations } = await new AxeBuilder({ page }).analyze();
  const severe = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(
    severe.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary ?? ''}`),
    ),
  ).toEqual([]);
}

/** Looks at the page in both colour schemes. */
export async function expectNoViolationsInBothThemes(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    await expectNoViolations(page);
  }
}
