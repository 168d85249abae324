import { expect, test, type Page } from '@playwright/test';
import { expectNoViolationsInBothThemes } from '../support/accessibility';
import { put, putWholePath, removeIfThere, removeWholePath } from '../support/admin-api';
import { at, logIn } from '../support/pages';
import { freePort } from '../support/ports';

const PREFIX = 'watched';
/** From the answer of the gateway to the row on the page. */
const SHOWN_MILLIS_MAX = 2_000;
let port: number;

test.beforeAll(async () => {
  port = await freePort();
  await putWholePath(PREFIX, port);
  await put('upstreams', { id: `${PREFIX}-dead`, nodes: [{ url: 'http://127.0.0.1:1' }] });
  await put('proxy-passes', { id: `${PREFIX}-dead`, upstreamId: `${PREFIX}-dead` });
  await put('routes', {
    id: `${PREFIX}-dead`,
    routerId: `${PREFIX}-router`,
    path: '/dead/*',
    proxyPassId: `${PREFIX}-dead`,
  });
});
test.afterAll(async () => {
  await removeIfThere('routes', `${PREFIX}-dead`);
  await removeIfThere('proxy-passes', `${PREFIX}-dead`);
  await removeIfThere('upstreams', `${PREFIX}-dead`);
  await removeWholePath(PREFIX);
});
test.beforeEach(({ page }) => logIn(page));

function ask(path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`);
}

function rowOf(page: Page, path: string) {
  return page.getByRole('table', { name: 'Last requests' }).getByRole('row').filter({ hasText: path });
}

test('a request is on the page within two seconds and leads to its route', async ({ page }) => {
  await page.goto(at(`/requests?proxyServer=${PREFIX}-web`));
  await expect(page.getByText('Live', { exact: true }).last()).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No request matches' })).toBeVisible();
  for (let i = 0; i < 3; i++) {
    expect((await ask(`/tail/${i}?token=secret`)).status).toBe(200);
    const began = Date.now();
    await expect(rowOf(page, `/tail/${i}`)).toBeVisible({ timeout: SHOWN_MILLIS_MAX });
    console.log(`A request was on the page after ${Date.now() - began} ms`);
  }
  await expect(page.getByText('secret')).toHaveCount(0);
  expect((await ask('/dead/end')).status).toBe(502);
  await expect(rowOf(page, '/dead/end')).toContainText('connect_failed');

  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Failed' }).click();
  await expect(page).toHaveURL(/status=failed/);
  await expect(rowOf(page, '/dead/end')).toBeVisible();
  await expect(rowOf(page, '/tail/')).toHaveCount(0);
  await page.reload();
  await expect(rowOf(page, '/dead/end')).toBeVisible();

  await page.getByRole('button', { name: 'Pause' }).click();
  await ask('/dead/while-paused');
  await expect(page.getByText('Paused')).toBeVisible();
  await expect(rowOf(page, 'while-paused')).toHaveCount(0);
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(rowOf(page, 'while-paused')).toBeVisible();

  await rowOf(page, '/dead/end')
    .getByRole('link', { name: `${PREFIX}-dead` })
    .click();
  await expect(page).toHaveURL(new RegExp(`/routes/${PREFIX}-dead`));
});

test('many requests scroll, and those in sight stay', async ({ page }) => {
  await page.goto(at(`/requests?route=${PREFIX}-route&text=many`));
  await expect(page.getByRole('heading', { name: 'No request matches' })).toBeVisible();
  for (let i = 0; i < 40; i++) {
    await ask(`/many/${i}`);
  }
  const table = page.getByRole('table', { name: 'Last requests' });
  await expect(rowOf(page, '/many/39')).toBeVisible();
  await expect(table).toHaveAttribute('aria-rowcount', '41');
  // Only what is near is there.
  expect(await table.getByRole('row').count()).toBeLessThan(40);
  await table.evaluate((element) => {
    element.scrollTop = 400;
  });
  await expect(rowOf(page, '/many/30')).toBeVisible();
  const before = await rowOf(page, '/many/30').boundingBox();
  await ask('/many/new');
  await expect(table).toHaveAttribute('aria-rowcount', '42');
  expect((await rowOf(page, '/many/30').boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
});

test('rows are cards on a phone, and accessible', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(at(`/routes/${PREFIX}-dead?tab=traffic`));
  await ask('/dead/on-a-phone');
  await expect(rowOf(page, 'on-a-phone')).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await expectNoViolationsInBothThemes(page);
});
