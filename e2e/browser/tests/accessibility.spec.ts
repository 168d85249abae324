import { expect, test } from '@playwright/test';
import { expectNoViolationsInBothThemes } from '../support/accessibility';
import { putWholePath, removeWholePath } from '../support/admin-api';
import { freePort } from '../support/ports';
import { allPages, at, loaded, logIn, openAllSections } from '../support/pages';

const PREFIX = 'axe';

test.beforeAll(async () => putWholePath(PREFIX, await freePort()));
test.afterAll(() => removeWholePath(PREFIX));

test('the login page is accessible', async ({ page }) => {
  await page.goto(at('/login'));
  await loaded(page);
  await expectNoViolationsInBothThemes(page);
});

for (const [name, path] of Object.entries(allPages(PREFIX))) {
  test(`the page ${name} is accessible`, async ({ page }) => {
    await logIn(page);
    await page.goto(at(path));
    await loaded(page);
    await openAllSections(page);
    await expectNoViolationsInBothThemes(page);
  });
}

test('the delete dialog is accessible', async ({ page }) => {
  await logIn(page);
  await page.goto(at(`/upstreams/${PREFIX}-nodes`));
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Still in use')).toBeVisible();
  await expectNoViolationsInBothThemes(page);
});

test('the review of a change is accessible', async ({ page }) => {
  await logIn(page);
  await page.goto(at(`/upstreams/${PREFIX}-nodes`));
  await page.getByRole('textbox', { name: 'Name' }).fill('Reviewed');
  await page.getByRole('button', { name: 'Review 1 change' }).click();
  await expect(page.getByText(/can serve this/)).toBeVisible();
  await expectNoViolationsInBothThemes(page);
});

test('the keyboard alone reaches the content and comes back from a dialog', async ({ page }) => {
  await logIn(page);
  await page.goto(at('/upstreams'));
  await loaded(page);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();

  const opener = page.getByRole('button', { name: `Delete ${PREFIX}-nodes` });
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toBeVisible();
  for (let presses = 0; presses < 6; presses++) {
    await page.keyboard.press('Tab');
    expect(await dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
});
