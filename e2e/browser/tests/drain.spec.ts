import { expect, test } from '@playwright/test';
import { get, put, putWholePath, removeWholePath } from '../support/admin-api';
import { environment } from '../support/environment';
import { freePort } from '../support/ports';
import { at, loaded, logIn } from '../support/pages';

const PREFIX = 'drain';
const OTHER = 'http://127.0.0.1:9';

test.beforeAll(async () => {
  await putWholePath(PREFIX, await freePort());
  await put('upstreams', {
    id: `${PREFIX}-nodes`,
    nodes: [{ url: environment.upstreamUrl() }, { url: OTHER }],
  });
});
test.afterAll(() => removeWholePath(PREFIX));

test('a node is drained and used again from the health of its upstream', async ({ page }) => {
  await logIn(page);
  await page.goto(at(`/upstreams/${PREFIX}-nodes/health`));
  await loaded(page);
  const dialog = page.getByRole('dialog');
  const node = async () => {
    const { nodes } = await get('upstreams', `${PREFIX}-nodes`);
    return (nodes as readonly { url: string; drain?: boolean }[]).find(({ url }) => url === OTHER);
  };
  await page.getByRole('button', { name: `Drain ${OTHER}` }).click();
  await dialog.getByRole('button', { name: 'Drain', exact: true }).click();
  await expect(page.getByRole('button', { name: `Use ${OTHER}` })).toBeFocused();
  expect(await node()).toMatchObject({ drain: true });
  await page.getByRole('button', { name: `Use ${OTHER}` }).click();
  await dialog.getByRole('button', { name: 'Use', exact: true }).click();
  await expect(page.getByRole('button', { name: `Drain ${OTHER}` })).toBeFocused();
  expect((await node())?.drain ?? false).toBe(false);
});
