import { expect, test } from '@playwright/test';
import { removeIfThere } from '../support/admin-api';
import { environment } from '../support/environment';
import { at, logIn } from '../support/pages';

const SECONDS_MAX = 60;
const CLICKS_MAX = 8;
// What refers comes before what it refers to.
const kindsMade = ['routes', 'routers', 'proxy-passes', 'upstreams', 'consumers'];
const idsMade = ['hello', 'hello-with-key'];

test.afterEach(async () => {
  for (const kind of kindsMade) {
    for (const id of idsMade) {
      await removeIfThere(kind, id);
    }
  }
  await removeIfThere('proxy-servers', 'web');
});

test('from nothing to a proxied request, and a second service beside it', async ({ page }) => {
  test.setTimeout(3 * SECONDS_MAX * 1000);
  await logIn(page);
  await page.goto(at('/'));
  await page.getByRole('heading', { name: 'First steps' }).waitFor();
  const began = Date.now();
  let clicks = 0;
  const click = async (role: 'link' | 'button', name: string) => {
    clicks++;
    await page.getByRole(role, { name, exact: true }).click();
  };
  const type = async (label: string, text: string) => {
    clicks++;
    const field = page.getByRole('textbox', { name: label });
    await field.click();
    await field.fill(text);
  };

  await page.getByRole('main').getByRole('link', { name: 'Expose a service' }).click();
  clicks++;
  await type('Node URLs', environment.upstreamUrl().replace('http://', ''));
  await type('Path', '/hello/*');
  await type('Port', String(environment.gatewayPort()));
  await click('button', 'Expose');
  await expect(page.getByRole('heading', { name: 'The service is exposed' })).toBeFocused({
    timeout: SECONDS_MAX * 1000,
  });
  await expect(page.getByText(/acknowledged by 1 of 1 gateway/)).toBeVisible();
  const response = await fetch(`http://127.0.0.1:${environment.gatewayPort()}/hello/world`);
  expect(response.status).toBe(200);
  const seconds = (Date.now() - began) / 1000;
  console.log(`nothing → proxied request: ${seconds.toFixed(1)} s, ${clicks} clicks`);
  expect(seconds).toBeLessThanOrEqual(SECONDS_MAX);
  expect(clicks).toBeLessThanOrEqual(CLICKS_MAX);

  await expect(page.getByText(`forwards it to ${environment.upstreamUrl()} with revision`)).toBeVisible();
  await expect(page.getByText('Requests came through the gateway: 1, 1 of them')).toBeVisible({
    timeout: 30_000,
  });

  await test.step('a second one uses what is there, and asks for a key', async () => {
    await page.getByRole('button', { name: 'Expose another service' }).click();
    await page.getByRole('textbox', { name: 'Node URLs' }).fill(environment.upstreamUrl());
    await page.getByRole('textbox', { name: 'Path' }).fill('/hello/with/key');
    await page.getByRole('switch', { name: 'Ask for a key' }).click();
    const plan = page.getByRole('region', { name: 'What Sigma will create' });
    await expect(plan.getByRole('listitem').filter({ hasText: 'upstream' })).toContainText('already there');
    await expect(plan.getByRole('listitem').filter({ hasText: 'proxy server' })).toContainText(
      'already there',
    );
    await page.getByRole('button', { name: 'Expose', exact: true }).click();
    const command = await page.getByText(/^curl /).innerText();
    const key = /X-Api-Key: (\w+)/.exec(command)?.[1] ?? '';
    const url = `http://127.0.0.1:${environment.gatewayPort()}/hello/with/key`;
    expect((await fetch(url)).status).toBe(401);
    expect((await fetch(url, { headers: { 'X-Api-Key': key } })).status).toBe(200);
  });

  await test.step('what was made is one revision', async () => {
    await page.getByRole('link', { name: /^See or undo revision/ }).click();
    await expect(page.getByRole('region', { name: 'consumer hello-with-key' })).toBeVisible();
    await expect(page.getByRole('region', { name: 'route hello-with-key' })).toBeVisible();
  });
});

test('a mistake is shown at its field, and nothing is made', async ({ page }) => {
  await logIn(page);
  await page.goto(at('/expose'));
  await page.getByRole('button', { name: 'Expose', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Node URLs' })).toBeFocused();
  await page.getByRole('textbox', { name: 'Node URLs' }).fill('ftp://nowhere');
  await page.getByRole('textbox', { name: 'Path' }).fill('/hello/:/x');
  await page.getByRole('button', { name: 'Expose', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Node URLs' })).toHaveAttribute('aria-invalid', 'true');
});

test('a new certificate is taken as files, and said to be none where it is none', async ({ page }) => {
  await logIn(page);
  await page.goto(at('/expose'));
  await page.getByRole('switch', { name: 'HTTPS' }).click();
  await expect(page.getByRole('switch', { name: 'HTTPS' })).toBeChecked();
  const chain = page.getByRole('textbox', { name: 'Certificate chain' });
  await chain.fill('no certificate');
  await expect(page.getByText(/^This is not PEM/)).toBeVisible();
  const files = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files of the chain' }).click();
  const block = (label: string) => `-----BEGIN ${label}-----\nAAAA\n-----END ${label}-----\n`;
  await (
    await files
  ).setFiles({
    name: 'both.pem',
    mimeType: 'application/x-pem-file',
    buffer: Buffer.from(block('CERTIFICATE') + block('PRIVATE KEY')),
  });
  await expect(chain).toHaveValue(/BEGIN CERTIFICATE/);
  await expect(page.getByRole('textbox', { name: 'Private key' })).toHaveValue(/BEGIN PRIVATE KEY/);
  await expect(page.getByText('Certificate 1 cannot be read.')).toBeVisible();
});
