import { expect, test } from '@playwright/test';
import { expectNoViolations } from '../support/accessibility';
import { get, put, putWholePath, removeWholePath } from '../support/admin-api';
import { freePort } from '../support/ports';
import { at, logIn } from '../support/pages';

const PREFIX = 'tried';

test.beforeAll(async () => putWholePath(PREFIX, await freePort()));
test.afterAll(() => removeWholePath(PREFIX));
test.beforeEach(({ page }) => logIn(page));

test("a gateway's own router says what becomes of a request", async ({ page }) => {
  await put('routes', {
    id: `${PREFIX}-route`,
    routerId: `${PREFIX}-router`,
    path: '/api/*',
    methods: ['GET'],
    proxyPassId: `${PREFIX}-pass`,
  });

  await test.step('from the page of a route, with a request that it takes', async () => {
    await page.goto(at(`/routes/${PREFIX}-route`));
    await page.getByRole('link', { name: 'Test the route' }).click();
    await expect(page.getByText('Forwarded to a node')).toBeVisible();
    const result = page.getByRole('region', { name: 'Result' });
    await expect(result.getByRole('link', { name: `${PREFIX}-route`, exact: true })).toBeVisible();
    await expect(page.getByRole('region', { name: 'Request to the node' })).toContainText('GET /api/');
    await expect(page.getByRole('table', { name: `Nodes of ${PREFIX}-nodes` })).toContainText('127.0.0.1');
  });

  await test.step('another method is not taken, and the reason is told', async () => {
    await page.getByRole('combobox', { name: 'Method' }).fill('POST');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Result' }).getByText('Refused')).toBeVisible();
    const near = page.getByRole('table', { name: 'Near misses' });
    await expect(near.getByRole('row', { name: `${PREFIX}-route` })).toContainText('method: POST');
    await expect(page.getByRole('button', { name: 'Test', exact: true })).toBeFocused();
  });

  await test.step('the address can be sent to somebody', async () => {
    await page.reload();
    await expect(page.getByRole('combobox', { name: 'Method' })).toHaveValue('POST');
    await expect(page.getByRole('region', { name: 'Result' }).getByText('Refused')).toBeVisible();
  });
});

test('a pasted curl command is asked, and an unknown host leads to the nearest', async ({ page }) => {
  await put('routers', {
    id: `${PREFIX}-router`,
    proxyServerId: `${PREFIX}-web`,
    hosts: ['tried.example.com', '*.media.example.com'],
  });
  const { port } = await get('proxy-servers', `${PREFIX}-web`);
  await page.goto(at('/route-test'));
  const url = page.getByRole('textbox', { name: 'URL' });
  await url.evaluate(
    (input, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', text);
      input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    `curl \\\n -H 'Accept: text/html' http://trid.example.com:${port as number}/api/7`,
  );
  await expect(url).toHaveValue(`http://trid.example.com:${port as number}/api/7`);
  await expect(page.getByRole('textbox', { name: 'Header fields' })).toHaveValue('Accept: text/html');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  const hosts = page.getByRole('region', { name: 'Hosts' });
  await expect(hosts.getByRole('button', { name: '*.media.example.com' })).toBeVisible();
  const form = await page.getByRole('form').boundingBox();
  const shown = await hosts.boundingBox();
  expect((shown?.x ?? 0) > (form?.x ?? 0) + (form?.width ?? 0), 'the result stands beside the form').toBe(
    true,
  );
  await expectNoViolations(page);
  await hosts.getByRole('button', { name: 'Test tried.example.com' }).click();
  await expect(page.getByText('Forwarded to a node')).toBeVisible();
});
