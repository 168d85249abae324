import { expect, test } from '@playwright/test';
import { expectNoViolations, expectNoViolationsInBothThemes } from '../support/accessibility';
import { put, putWholePath, removeIfThere, removeWholePath } from '../support/admin-api';
import { freePort } from '../support/ports';
import { at, logIn } from '../support/pages';
import { resize } from '../support/resize';

const PREFIX = 'way';

test.beforeAll(async () => {
  await putWholePath(PREFIX, await freePort());
  await put('upstreams', { id: `${PREFIX}-next`, nodes: [{ url: 'http://127.0.0.1:9' }] });
  await put('proxy-passes', {
    id: `${PREFIX}-pass`,
    split: {
      targets: [
        { upstreamId: `${PREFIX}-nodes`, weight: 90 },
        { upstreamId: `${PREFIX}-next`, weight: 10 },
      ],
    },
  });
  await put('routers', {
    id: `${PREFIX}-router`,
    proxyServerId: `${PREFIX}-web`,
    hosts: ['shop.example.com'],
    plugins: { rateLimit: { requests: 100 }, requestId: {} },
  });
  await put('routes', {
    id: `${PREFIX}-route`,
    routerId: `${PREFIX}-router`,
    path: '/cart/:id/*',
    methods: ['GET', 'POST'],
    proxyPassId: `${PREFIX}-pass`,
    plugins: { rateLimit: { requests: 10 } },
  });
});
test.afterAll(async () => {
  await removeWholePath(PREFIX);
  await removeIfThere('upstreams', `${PREFIX}-next`);
});

test('one page says all about a route', async ({ page }) => {
  await logIn(page);
  await page.goto(at(`/routes/${PREFIX}-route`));
  await expect(page.getByText('GET, POST shop.example.com/cart/:id/*')).toContainText(
    `90 % ${PREFIX}-nodes, 10 % ${PREFIX}-next`,
  );
  const way = page.getByRole('group', { name: 'Way of a request' });
  for (const stop of ['Proxy server', 'Router', 'Proxy pass']) {
    await expect(way.getByRole('link', { name: `${stop} ${PREFIX}-` })).toBeVisible();
  }
  for (const upstream of ['nodes', 'next']) {
    await expect(way.getByRole('link', { name: `Upstream ${PREFIX}-${upstream}` })).toBeVisible();
  }

  const plugins = page.getByRole('table', { name: 'Plugins' });
  await expect(plugins.getByRole('row').nth(1)).toContainText('1requestIdrouter');
  await expect(plugins.getByRole('row').nth(2)).toContainText(`instead of router ${PREFIX}-router`);

  await test.step('with the keyboard alone', async () => {
    await page.getByRole('tab', { name: 'Summary' }).focus();
    for (let presses = 0; presses < 4; presses++) {
      await page.keyboard.press('ArrowRight');
    }
    await expect(page.getByRole('tab', { name: 'History' })).toBeFocused();
    await expect(page).toHaveURL(/tab=history$/);
    await expect(page.getByRole('row', { name: '/methods' })).toContainText('["GET","POST"]');
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('button', { name: 'Copy as curl command' })).toBeVisible();
    await expect(page.getByText('"path": "/cart/:id/*"')).toBeVisible();
  });
});

test('a review shows changes and votes, and the save comes back to the summary', async ({ page }) => {
  await logIn(page);
  await page.goto(at(`/routes/${PREFIX}-route?tab=edit`));
  await page.getByRole('textbox', { name: 'Path' }).fill('/basket/*');
  await page.getByRole('textbox', { name: 'Name' }).fill('Basket');
  await page.getByRole('button', { name: 'Review 2 changes' }).click();
  const dialog = page.getByRole('dialog', { name: `Review of route ${PREFIX}-route` });
  await expect(dialog.getByRole('row', { name: '/path' })).toContainText('"/basket/*"');
  await expect(dialog.getByText('1 of 1 gateway can serve this.')).toBeVisible();
  await page.keyboard.press('Escape');
  const review = page.getByRole('button', { name: 'Review 2 changes' });
  await expect(review).toBeFocused();
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('shop.example.com/basket/*')).toBeVisible();
  await expect(page.getByText('served by 1 of 1 gateway')).toBeVisible();
});

test('plugins are inherited, switched off at this level, and added by a search', async ({ page }) => {
  await logIn(page);
  await page.goto(at(`/routes/${PREFIX}-route?tab=plugins`));
  const inherited = page.getByRole('region', { name: 'Inherited plugins' });
  await expect(inherited).toContainText(`Request id from router ${PREFIX}-router`);
  await expect(page.getByRole('group', { name: 'Rate limit' })).toBeVisible();
  await expect(page.getByRole('group', { name: 'CORS' })).toBeHidden();
  await page.getByRole('button', { name: 'Switch Request id off here' }).click();
  await page.getByRole('button', { name: 'Add plugin' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add plugin' });
  await expect(dialog.getByRole('searchbox')).toBeFocused();
  await expectNoViolations(page);
  await dialog.getByRole('searchbox').fill('responseTime');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('group', { name: 'Response time' })).toBeVisible();
  await expectNoViolationsInBothThemes(page);
  for (const width of [360, 768, 1920]) {
    await resize(page, width);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const plugins = page.getByRole('table', { name: 'Plugins' });
  await expect(plugins.getByRole('row', { name: /requestId/ })).toContainText('off here');
  await expect(plugins.getByRole('row', { name: /responseTime/ })).toBeVisible();
});
