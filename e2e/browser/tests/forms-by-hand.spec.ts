import { expect, test } from '@playwright/test';
import { expectNoViolationsInBothThemes } from '../support/accessibility';
import { get, put, putWholePath, removeIfThere, removeWholePath } from '../support/admin-api';
import { freePort } from '../support/ports';
import { at, logIn } from '../support/pages';

const PREFIX = 'hand';

test.beforeAll(async () => {
  await putWholePath(PREFIX, await freePort());
  await put('routers', {
    id: `${PREFIX}-router`,
    proxyServerId: `${PREFIX}-web`,
    plugins: { cors: { allowOrigins: ['https://shop.test'] }, keyAuth: {}, rateLimit: { requests: 10 } },
  });
});
test.afterAll(async () => {
  await removeIfThere('consumers', `${PREFIX}-anna`);
  await removeWholePath(PREFIX);
});

test('the plugins that people use most say what they do', async ({ page }) => {
  await logIn(page);
  await page.goto(at(`/routers/${PREFIX}-router?tab=plugins`));
  const limit = page.getByRole('group', { name: 'Rate limit', exact: true });
  await limit.getByLabel('Burst').fill('3');
  await expect(limit.getByRole('note')).toContainText(
    'may send 3 requests at once, and over time 10 requests a second',
  );
  const cors = page.getByRole('group', { name: 'CORS', exact: true });
  await cors.getByRole('textbox', { name: 'Try an origin' }).fill('https://other.test');
  await expect(cors.getByRole('status')).toContainText('Origins does not have https://other.test.');
  await expect(page.getByRole('group', { name: 'Key auth', exact: true }).getByRole('note')).toContainText(
    'X-Api-Key',
  );
  await expectNoViolationsInBothThemes(page);
});

test('a gateway says what a node receives after its path is rewritten', async ({ page }) => {
  await put('proxy-passes', {
    id: `${PREFIX}-pass`,
    upstreamId: `${PREFIX}-nodes`,
    stripPrefix: '/shop',
    plugins: {
      rewritePath: { regexp: '/test/(?<rest>.*)', replacement: '/shop/${rest}?from=old' },
      ipAccess: { allow: ['10.0.0.0/8'] },
    },
  });
  await logIn(page);
  await page.goto(at(`/proxy-passes/${PREFIX}-pass?tab=plugins`));
  const rewriting = page.getByRole('group', { name: 'Rewrite path', exact: true });
  await rewriting.getByRole('textbox', { name: 'Try a path' }).fill('/test/carts/7?page=2');
  await expect(rewriting.getByRole('status')).toContainText('The node receives /carts/7?from=old&page=2.');
  await rewriting.getByRole('textbox', { name: /^Expression/ }).fill('/test/(');
  await expect(rewriting.getByRole('status')).toContainText('missing closing )');
  const access = page.getByRole('group', { name: 'IP access', exact: true });
  await access.getByRole('textbox', { name: 'Try an address' }).fill('10.1.2.3');
  await expect(access.getByRole('status')).toContainText('Allowed. 10.0.0.0/8');
});

test('what is wrong is said in words, with the label of the field', async ({ page }) => {
  await logIn(page);
  await page.goto(at(`/proxy-servers/${PREFIX}-web?tab=edit`));
  await page.getByRole('textbox', { name: 'Port', exact: true }).fill('70000');
  await page.getByRole('button', { name: 'Save' }).click();
  const port = page.getByRole('textbox', { name: 'Port', exact: true });
  await expect(port).toHaveAccessibleDescription(/Port must be between 1 and 65,535\./);
  await expect(page.getByRole('main')).not.toContainText(/that matches|\(expected|\[redacted\]/);
});

test('a consumer gets a key that is made, once to be copied', async ({ page }) => {
  await logIn(page);
  await page.goto(at('/new/consumers'));
  await page.getByRole('textbox', { name: /^Id/ }).fill(`${PREFIX}-anna`);
  await page.getByRole('button', { name: 'Add key' }).click();
  const row = page.getByRole('group', { name: 'key 1' });
  await row.getByRole('textbox', { name: /^Name/ }).fill('laptop');
  await row.getByRole('button', { name: 'Generate a key' }).click();
  await expect(row.getByRole('textbox', { name: /^New key/ })).toHaveValue(/^[0-9a-f]{64}$/);
  await page.getByRole('button', { name: 'Create consumer' }).click();
  await expect(page.getByText(`Created consumer ${PREFIX}-anna`)).toBeVisible();
  expect(JSON.stringify(await get('consumers', `${PREFIX}-anna`))).toContain('laptop');
});

test('headers are one table, on a phone too', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 850 });
  await logIn(page);
  await page.goto(at(`/proxy-passes/${PREFIX}-pass?tab=edit`));
  await page.getByRole('button', { name: /^Headers/ }).click();
  const group = page.getByRole('group', { name: 'Request headers' });
  await group.getByRole('button', { name: 'Set a header' }).click();
  await group.getByRole('textbox', { name: 'Header 1' }).fill('X-Stage');
  await group.getByRole('textbox', { name: 'Value 1' }).fill('test');
  for (const box of await group.getByRole('textbox').all()) {
    const edges = await box.boundingBox();
    expect((edges?.x ?? 0) + (edges?.width ?? 0)).toBeLessThanOrEqual(390);
  }
  await expectNoViolationsInBothThemes(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`Saved proxy pass ${PREFIX}-pass`)).toBeVisible();
  expect(await get('proxy-passes', `${PREFIX}-pass`)).toMatchObject({
    requestHeaders: { set: { 'X-Stage': 'test' } },
  });
});
