import { expect, test } from '@playwright/test';
import { at, loaded, logIn } from '../support/pages';

test.beforeEach(({ page }) => logIn(page));

// The gateway of this installation is in the process of the control plane, which refuses to shut any out.
test('a gateway that is not listed is revoked by name, and a refusal is shown where it was asked for', async ({
  page,
}) => {
  await page.goto(at('/gateways'));
  await loaded(page);
  const opener = page.getByRole('button', { name: 'Revoke by name…' });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: 'Revoke a gateway by name' });
  const name = dialog.getByRole('textbox', { name: 'Gateway' });
  await expect(name).toBeFocused();
  await name.fill('long-gone');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Its disk was sold');

  const asked = page.waitForRequest((request) => request.method() === 'PUT');
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  const url = new URL((await asked).url());
  expect(url.pathname).toBe('/api/v1/gateways/long-gone/revocation');
  expect(url.searchParams.get('reason')).toBe('Its disk was sold');
  await expect(dialog.getByRole('alert')).toContainText('is in the process of the control plane');

  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await expect(page.getByRole('row', { name: 'long-gone' })).toHaveCount(0);
});
