import { expect, test } from '@playwright/test';
import { get, put, putWholePath, removeWholePath } from '../support/admin-api';
import { freePort } from '../support/ports';
import { at, logIn } from '../support/pages';

const PREFIX = 'back';

test.beforeAll(async () => putWholePath(PREFIX, await freePort()));
test.afterAll(() => removeWholePath(PREFIX));
test.beforeEach(({ page }) => logIn(page));

test('a change is found, looked at, and rolled back', async ({ page }) => {
  const pass = await get('proxy-passes', `${PREFIX}-pass`);
  await put('proxy-passes', { ...pass, timeouts: { responseMillis: 1234 } });

  await page.goto(at('/revisions'));
  await page.getByRole('row').nth(1).getByRole('link').click();
  const changed = page.getByRole('region', { name: `proxy pass ${PREFIX}-pass` });
  await expect(changed.getByRole('row', { name: '/timeouts/responseMillis' })).toContainText('1234');
  await expect(
    page.getByRole('table', { name: 'Answers and votes of gateways' }).getByText('Acknowledged'),
  ).toBeVisible();

  const opener = page.getByRole('button', { name: 'Roll back…', exact: true });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: 'Roll back everything' });
  await expect(dialog.getByRole('row', { name: '/timeouts/responseMillis' })).toContainText('1234');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(opener).toBeFocused();
  expect(await get('proxy-passes', `${PREFIX}-pass`)).toMatchObject({ timeouts: { responseMillis: 1234 } });

  await opener.click();
  await dialog.getByRole('textbox', { name: 'Why' }).fill('Too short');
  await dialog.getByRole('button', { name: 'Roll back 1 resource' }).click();
  await expect(page.getByText(/acknowledged by 1 of 1 gateway in \d+ ms/)).toBeVisible();
  await expect(page.getByText('Too short')).toBeVisible();
  expect(await get('proxy-passes', `${PREFIX}-pass`)).toEqual(pass);
});
