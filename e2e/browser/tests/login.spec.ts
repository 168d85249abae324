import { expect, test, type Page } from '@playwright/test';
import { createUser, putWholePath, removeUser, removeWholePath } from '../support/admin-api';
import { freePort } from '../support/ports';
import { at } from '../support/pages';

const PREFIX = 'login';
const USER = 'vera';
const FIRST_PASSWORD = 'chosen by somebody else';
const OWN_PASSWORD = 'known to nobody but vera';

test.beforeAll(async () => {
  await putWholePath(PREFIX, await freePort());
  await createUser(USER, 'VIEWER', FIRST_PASSWORD);
});
test.afterAll(async () => {
  await removeUser(USER);
  await removeWholePath(PREFIX);
});

async function logIn(page: Page, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'User' }).fill(USER);
  await page.getByLabel(/^Password/).fill(password);
  await page.keyboard.press('Enter');
}

test('a viewer logs in, chooses a password, looks around, and logs out in all tabs', async ({
  page,
  context,
}) => {
  await test.step('nothing else is shown or asked for before the password is changed', async () => {
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) {
        refused.push(response.url());
      }
    });
    await page.goto(at('/upstreams'));
    await logIn(page, FIRST_PASSWORD);
    await expect(page.getByRole('heading', { name: 'Change password' })).toBeVisible();
    await expect(page.getByRole('navigation')).toHaveCount(0);
    await page.getByLabel('Present password').fill(FIRST_PASSWORD);
    await page.getByLabel('New password', { exact: false }).first().fill(OWN_PASSWORD);
    await page.getByLabel('New password again').fill(OWN_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
    expect(refused).toEqual([]);
  });

  await test.step('the key of the session is in a cookie that no script can read', async () => {
    const [cookie] = await context.cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict' });
    expect(await page.evaluate(() => document.cookie + JSON.stringify(sessionStorage))).not.toContain(
      cookie?.value ?? '',
    );
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  });

  await test.step('a viewer is offered no change', async () => {
    await page.goto(at(`/upstreams/${PREFIX}-nodes`));
    await expect(page.getByText('Your role, viewer, cannot change this.')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Delete' })).toHaveCount(0);
    await page.goto(at('/users'));
    await expect(page.getByText('Not for the role viewer')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Audit log' })).toHaveCount(0);
  });

  await test.step('another tab goes along when this one logs out', async () => {
    const other = await context.newPage();
    await other.goto(at('/'));
    await expect(other.getByRole('heading', { name: 'Overview' })).toBeVisible();
    await page.getByRole('button', { name: 'Log out' }).click();
    await expect(page.getByRole('heading', { name: 'Log in to Sigma' })).toBeVisible();
    await expect(other.getByText('You have logged out in another tab.')).toBeVisible();
    expect(await context.cookies()).toEqual([]);
  });
});

test('a form outlives the session in which it was opened', async ({ page, context }) => {
  await page.goto(at('/password'));
  await logIn(page, OWN_PASSWORD);
  await page.getByLabel('Present password').fill('half typed');
  await context.clearCookies();
  const dialog = page.getByRole('dialog', { name: 'Log in to Sigma again' });
  await expect(dialog).toBeVisible({ timeout: 40_000 });
  await dialog.getByLabel(/^Password/).fill(OWN_PASSWORD);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel('Present password')).toHaveValue('half typed');
});
