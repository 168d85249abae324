import { expect, test } from '@playwright/test';
import { expectNoViolations } from '../support/accessibility';
import { put, putWholePath, removeWholePath } from '../support/admin-api';
import { freePort } from '../support/ports';
import { at, loaded, logIn } from '../support/pages';

const PREFIX = 'sought';

test.beforeAll(async () => {
  await putWholePath(PREFIX, await freePort());
  await put('routes', {
    id: `${PREFIX}-route`,
    routerId: `${PREFIX}-router`,
    path: `/${PREFIX}/:id/*`,
    proxyPassId: `${PREFIX}-pass`,
  });
});
test.afterAll(() => removeWholePath(PREFIX));
test.beforeEach(({ page }) => logIn(page));

test('a person who knows only a path finds the route, by the keyboard alone', async ({ page }) => {
  await page.goto(at('/'));
  await expect(page.getByRole('button', { name: 'Search everything' })).toBeVisible();
  await page.keyboard.press('Control+k');
  const input = page.getByRole('textbox', { name: 'Search everything' });
  await expect(input).toBeFocused();
  await input.fill(`/${PREFIX}/12/items`);
  const hit = page.getByRole('button', { name: new RegExp(`^${PREFIX}-route`) });
  await expect(hit).toBeVisible();
  await expectNoViolations(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: `${PREFIX}-route` })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/routes/${PREFIX}-route$`));
});

test('a list is searched by what is in its rows, and keeps the search over a visit', async ({ page }) => {
  await page.goto(at('/routes'));
  await page.getByRole('searchbox', { name: 'Search' }).fill(`/${PREFIX}/12`);
  await expect(page).toHaveURL(/q=/);
  const link = page.getByRole('link', { name: `${PREFIX}-route`, exact: true });
  await link.click();
  await expect(page.getByRole('heading', { name: `${PREFIX}-route` })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue(`/${PREFIX}/12`);
  await expect(link).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search' }).fill('nothing-like-it');
  await expect(page.getByRole('heading', { name: 'No route matches' })).toBeVisible();
});

test('a curl command leads to the route that takes it', async ({ page }) => {
  await page.goto(at('/'));
  await page.getByRole('button', { name: 'Search everything' }).click();
  await page
    .getByRole('textbox', { name: 'Search everything' })
    .fill(`curl -X POST 'http://shop.example.com/${PREFIX}/x' -H 'Accept: text/plain'`);
  await page.getByRole('button', { name: /^Which route takes POST/ }).click();
  await expect(page).toHaveURL(/route-test\?.*method=POST/);
  await expect(page.getByRole('textbox', { name: 'URL' })).toHaveValue(`http://shop.example.com/${PREFIX}/x`);
});

test('on a phone the filters of a list wait until they are asked for', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(at('/routes'));
  await loaded(page);
  await expect(page.getByRole('searchbox', { name: 'Search' })).toBeVisible();
  const state = page.getByRole('combobox', { name: 'State' });
  await expect(state).toBeHidden();
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await state.click();
  await page.getByRole('option', { name: 'Disabled' }).click();
  await page.reload();
  await expect(state, 'what is in force is shown').toBeVisible();
  await page.setViewportSize({ width: 1024, height: 844 });
  await expect(page.getByRole('button', { name: 'Hide filters' })).toBeHidden();
});
