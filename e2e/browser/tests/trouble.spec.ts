import { expect, test } from '@playwright/test';
import { expectNoViolationsInBothThemes } from '../support/accessibility';
import { get, put, putWholePath, remove, removeWholePath } from '../support/admin-api';
import { environment } from '../support/environment';
import { freePort } from '../support/ports';
import { at, logIn } from '../support/pages';

const PREFIX = 'trouble';

test.beforeAll(async () => putWholePath(PREFIX, await freePort()));
test.afterAll(() => removeWholePath(PREFIX));
test.beforeEach(({ page }) => logIn(page));

test('a validation error opens its section and lands on the field', async ({ page }) => {
  await page.goto(at('/new/proxy-servers'));
  await page.getByRole('textbox', { name: 'Port' }).fill('18080');
  await page.getByRole('button', { name: /^Limits and trust/ }).click();
  await page.getByRole('textbox', { name: 'Request head', exact: true }).fill('5');
  await page.getByRole('button', { name: /^Limits and trust/ }).click();
  await page.getByRole('button', { name: 'Create proxy server' }).click();

  const field = page.getByRole('textbox', { name: 'Request head', exact: true });
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(/must be between 1,024 and/);
});

test('a required field that is empty is named before anything is sent', async ({ page }) => {
  await page.goto(at('/new/routes'));
  await page.getByRole('button', { name: 'Create route' }).click();
  await expect(page.getByRole('combobox', { name: 'Router' })).toBeFocused();
  await expect(page.getByText('Required')).toHaveCount(3);
});

test('a delete of what is in use shows who uses it', async ({ page }) => {
  await page.goto(at(`/upstreams/${PREFIX}-nodes`));
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete upstream?' });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await expect(dialog.getByText('Still in use')).toBeVisible();
  await dialog.getByRole('link', { name: `${PREFIX}-pass` }).click();
  await expect(page.getByRole('heading', { name: `${PREFIX}-pass` })).toBeVisible();
});

test("somebody else's change is shown and not overwritten", async ({ page }) => {
  const node = { url: environment.upstreamUrl() };
  await put('upstreams', { id: 'shared', nodes: [node] });
  await page.goto(at('/upstreams/shared'));
  await page.getByRole('textbox', { name: 'Name' }).fill('mine');

  await put('upstreams', { id: 'shared', name: 'theirs', nodes: [node] });
  await page.getByRole('button', { name: 'Save' }).click();

  const alert = page.getByRole('alert').filter({ hasText: 'Another user changed this upstream' });
  await expect(alert.getByText('Nothing was saved')).toBeVisible();
  await alert.getByRole('button', { name: 'Show the differences' }).click();
  await expect(alert.getByRole('cell', { name: '"theirs"' }).first()).toBeVisible();
  await alert.getByRole('button', { name: 'Reload and discard my edits' }).click();
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('theirs');
  await remove('upstreams', 'shared');
});

test('two changes that do not touch are merged, and one chooses where they do', async ({ page }) => {
  const node = { url: environment.upstreamUrl() };
  await put('upstreams', { id: 'merged', nodes: [node] });
  await page.goto(at('/upstreams/merged'));
  await page.getByRole('textbox', { name: 'Name' }).fill('mine');
  await put('upstreams', { id: 'merged', name: 'theirs', labels: { team: 'shop' }, nodes: [node] });
  await page.getByRole('button', { name: 'Save' }).click();

  const merge = page.getByRole('group', { name: 'Merge of both changes' });
  await expect(merge.getByRole('row', { name: 'Labels' })).toContainText('shop');
  await expect(merge.getByRole('button', { name: 'Save the merge' })).toBeDisabled();
  await merge.getByRole('group', { name: 'Name' }).getByRole('radio', { name: 'Mine' }).check();
  await expectNoViolationsInBothThemes(page);
  await merge.getByRole('button', { name: 'Save the merge' }).click();
  await expect(page.getByText(/^Revision \d+, acknowledged/)).toBeVisible();
  expect(await get('upstreams', 'merged')).toMatchObject({ name: 'mine', labels: { team: 'shop' } });
  await remove('upstreams', 'merged');
});

test('a change that is made elsewhere appears by itself', async ({ page }) => {
  await page.goto(at('/upstreams'));
  await expect(page.getByRole('link', { name: `${PREFIX}-nodes`, exact: true })).toBeVisible();
  await put('upstreams', { id: 'elsewhere', nodes: [{ url: environment.upstreamUrl() }] });
  await expect(page.getByRole('link', { name: 'elsewhere', exact: true })).toBeVisible();
  await remove('upstreams', 'elsewhere');
  await expect(page.getByRole('link', { name: 'elsewhere', exact: true })).toBeHidden();
});

test('an unreachable control plane leaves what was loaded on the screen', async ({ page, context }) => {
  await page.goto(at('/upstreams'));
  await expect(page.getByRole('link', { name: `${PREFIX}-nodes`, exact: true })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('navigation').getByRole('link', { name: 'Routes' }).click();
  await page.getByRole('searchbox', { name: 'Search' }).fill('anything');
  await expect(
    page.getByText('The control plane is unreachable. The page shows the data that were loaded last.'),
  ).toBeVisible();
  await page.getByRole('navigation').getByRole('link', { name: 'Upstreams' }).click();
  await expect(page.getByRole('link', { name: `${PREFIX}-nodes`, exact: true })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('Control plane unreachable')).toBeHidden();
});
