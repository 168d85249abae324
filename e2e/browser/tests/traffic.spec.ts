import { expect, test } from '@playwright/test';
import { putWholePath, removeWholePath } from '../support/admin-api';
import { at, logIn } from '../support/pages';
import { freePort } from '../support/ports';

const PREFIX = 'counted';
// A gateway reports every five seconds, and what it reports is shown when it is complete.
const FIGURES_MILLIS_MAX = 60_000;
let port: number;

test.beforeAll(async () => {
  port = await freePort();
  await putWholePath(PREFIX, port);
});
test.afterAll(() => removeWholePath(PREFIX));
test.beforeEach(({ page }) => logIn(page));

test('what comes appears on the page by itself, is summed up and ranked', async ({ page }) => {
  await page.goto(at(`/traffic?kind=route&id=${PREFIX}-route`));
  await expect(page.getByRole('heading', { name: 'No traffic' })).toBeVisible();
  for (let sent = 0; sent < 5; sent++) {
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
  }

  await expect(page.getByText('half were faster')).toBeVisible({ timeout: FIGURES_MILLIS_MAX });
  await expect(page.getByText('0 answered 5xx, 0 without an answer')).toBeVisible();
  await page.getByRole('radiogroup', { name: 'Order by' }).getByText('Bytes').click();
  const ranks = page.getByRole('table', { name: 'Routes with the most bytes' });
  await expect(ranks.getByRole('row', { name: `${PREFIX}-route` })).toContainText('0 %');
  await page.getByText('Last day').click();
  await expect(page.getByText('half were faster')).toBeVisible({ timeout: FIGURES_MILLIS_MAX });
});
