import { expect, test, type Page } from '@playwright/test';
import { removeWholePath } from '../support/admin-api';
import { environment } from '../support/environment';
import { at } from '../support/pages';

// What the person calls things; removeWholePath takes it all away again.
const PREFIX = 'first';

interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

function throughTheGateway(path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${environment.gatewayPort()}${path}`);
}

/** Saves the form that is open, and expects the gateway to have taken the change. */
async function save(page: Page, button: string): Promise<void> {
  // A notice of the change before may still be there.
  const written = page.waitForResponse(
    (response) => response.request().method() !== 'GET' && response.url().includes('/api/v1/'),
  );
  await page.getByRole('button', { name: button, exact: true }).click();
  await written;
  await expect(
    page.getByText(/^Revision \d+, acknowledged by 1 of 1 gateway in \d+ ms\.$/).last(),
  ).toBeVisible();
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(option);
  await page.getByRole('option', { name: option }).click();
}

test.afterAll(() => removeWholePath(PREFIX));

test("a person's first five minutes", async ({ page }) => {
  await test.step('log in, at the second try', async () => {
    await page.goto(at('/'));
    await page.getByRole('button', { name: 'Log in with a token' }).click();
    await page.getByLabel(/^Token/).fill('not the token');
    await page.keyboard.press('Enter');
    await expect(page.getByText('The control plane did not accept this token.')).toBeVisible();
    await page.getByLabel(/^Token/).fill(environment.token());
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible();
  });

  await test.step('create an upstream', async () => {
    await page.getByRole('link', { name: 'Create an upstream', exact: true }).click();
    await page.getByRole('textbox', { name: 'Id', exact: true }).fill(`${PREFIX}-nodes`);
    await page.getByRole('textbox', { name: 'URL' }).fill(environment.upstreamUrl());
    await save(page, 'Create upstream');
    await expect(
      page.getByRole('listitem').filter({ hasText: 'An upstream' }).getByLabel('Done'),
    ).toBeVisible();
  });

  await test.step('create a proxy pass', async () => {
    await page.getByRole('link', { name: 'Create a proxy pass', exact: true }).click();
    await page.getByRole('textbox', { name: 'Id', exact: true }).fill(`${PREFIX}-pass`);
    await choose(page, 'Upstream', `${PREFIX}-nodes`);
    await save(page, 'Create proxy pass');
  });

  await test.step('create a proxy server', async () => {
    await page.getByRole('link', { name: 'Create a proxy server', exact: true }).click();
    await page.getByRole('textbox', { name: 'Id', exact: true }).fill(`${PREFIX}-web`);
    await page.getByRole('textbox', { name: 'Port' }).fill(String(environment.gatewayPort()));
    await save(page, 'Create proxy server');
  });

  await test.step('create a router', async () => {
    await page.getByRole('link', { name: 'Create a router', exact: true }).click();
    await page.getByRole('textbox', { name: 'Id', exact: true }).fill(`${PREFIX}-router`);
    await choose(page, 'Proxy server', `${PREFIX}-web`);
    await save(page, 'Create router');
  });

  await test.step('create a route, with the Enter key', async () => {
    await page.getByRole('link', { name: 'Create a route', exact: true }).click();
    await page.getByRole('textbox', { name: 'Id', exact: true }).fill(`${PREFIX}-route`);
    await choose(page, 'Router', `${PREFIX}-router`);
    await choose(page, 'Proxy pass', `${PREFIX}-pass`);
    await page.getByRole('textbox', { name: 'Path' }).fill('/*');
    await page.getByRole('textbox', { name: 'Path' }).press('Enter');
    await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'First steps' })).toBeHidden();
  });

  await test.step('see the gateway current', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Gateways' }).click();
    const gateway = page.getByRole('row').nth(1);
    await expect(gateway.getByText('Current')).toBeVisible();
    await expect(page.getByRole('banner').getByText('1 of 1 gateway current')).toBeVisible();
  });

  await test.step('fetch through the gateway', async () => {
    const response = await throughTheGateway('/hello?who=world');
    expect(response.status).toBe(200);
    expect((await response.json()) as Echo).toMatchObject({ method: 'GET', url: '/hello?who=world' });
  });

  await test.step('edit the route, saying why', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Routes' }).click();
    await page.getByRole('link', { name: `${PREFIX}-route`, exact: true }).click();
    await page.getByRole('tab', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Path' }).fill('/only/*');
    await page.getByRole('textbox', { name: 'Why this change' }).fill('Serve less');
    await save(page, 'Save');
    expect((await throughTheGateway('/only/this')).status).toBe(200);
    expect((await throughTheGateway('/hello')).status).toBe(404);
  });

  await test.step('find the change in the revisions', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Revisions' }).click();
    const newest = page.getByRole('row').nth(1);
    await expect(newest).toContainText('Serve less');
    await newest.getByRole('link').click();
    const change = page.getByRole('row', { name: '/path' });
    await expect(change).toContainText('"/*"');
    await expect(change).toContainText('"/only/*"');
  });
});

test('a one-click link logs in, and the token does not stay in the address', async ({ page }) => {
  await page.goto(at(`/#token=${environment.token()}`));
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
  expect(page.url()).toBe(at('/'));
  await page.getByRole('button', { name: 'Log out' }).click();
  await expect(page.getByRole('heading', { name: 'Log in to Sigma' })).toBeVisible();
});
