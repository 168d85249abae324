import { expect, test } from '@playwright/test';
import { expectNoViolations } from '../support/accessibility';
import { put, putWholePath, removeWholePath } from '../support/admin-api';
import { environment } from '../support/environment';
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

test('a path, a line of a log and a URL of another port lead to the route', async ({ page }) => {
  const everything = page.getByRole('textbox', { name: 'Search everything' });
  const ask = async (text: string, question: RegExp) => {
    await page.keyboard.press('Control+k');
    await everything.fill(text);
    await page.getByRole('button', { name: question }).click();
  };
  await page.goto(at('/traffic'));
  await expect(page.getByRole('button', { name: 'Search everything' })).toBeVisible();

  await test.step('a path shows its routes, and each with a host to test', async () => {
    await ask(`/${PREFIX}/12/items?page=2`, /^Which route takes GET/);
    const routes = page.getByRole('table', { name: 'Routes of this path' });
    const row = routes.getByRole('row', { name: `${PREFIX}-route` });
    await expect(row).toContainText('any host');
    await expectNoViolations(page);
    await row.getByRole('button', { name: 'Test with localhost' }).click();
    await expect(page.getByText('Forwarded to a node')).toBeVisible();
  });

  await test.step('a line of a log', async () => {
    await ask(
      `203.0.113.9 - - [27/Nov/2026:10:00:00 +0000] "DELETE /${PREFIX}/12/items HTTP/1.1" 404 19`,
      /^Which route takes DELETE/,
    );
    await expect(page.getByRole('table', { name: 'Routes of this path' })).toContainText(`${PREFIX}-route`);
  });

  await test.step('the port in front of Sigma says nothing: each proxy server is asked', async () => {
    await ask(`https://b\u00fccher.example/${PREFIX}/12/caf\u00e9`, /^Which route takes GET/);
    const servers = page.getByRole('table', { name: 'Answers of the proxy servers' });
    const row = servers.getByRole('row', { name: `${PREFIX}-web` });
    await expect(row.getByRole('link', { name: `${PREFIX}-route` })).toBeVisible();
    await row.getByRole('button', { name: `Show the answer of ${PREFIX}-web` }).click();
    await expect(page.getByText('Forwarded to a node')).toBeVisible();
  });
});

test('what people have at hand, and wrong guesses, lead to the nearest route', async ({ page }) => {
  await put('routers', {
    id: `${PREFIX}-router`,
    proxyServerId: `${PREFIX}-web`,
    hosts: [`${PREFIX}.example.com`],
  });
  const everything = page.getByRole('textbox', { name: 'Search everything' });
  await page.goto(at('/traffic'));
  await expect(page.getByRole('button', { name: 'Search everything' })).toBeVisible();
  await page.keyboard.press('Control+k');
  const guesses: readonly (readonly [string, RegExp])[] = [
    [`/${PREFIX}s/12/items`, /Similar path: \/sought/],
    [`/${PREFIX.toUpperCase()}/12/items`, /Another case of letters/],
    [`http://nowhere.test/${PREFIX}/12/items`, /Same path, for other hosts: sought\.example\.com/],
    [`https://${PREFIX}.example.com:8443`, /host sought\.example\.com/],
    [`${PREFIX}-nodes-7d9f8b6c5-x2x4z`, /The text contains its name: sought-nodes/],
    [`${PREFIX}-ruote`, /Similar name: sought-route/],
    [environment.upstreamUrl(), /node http/],
    [`${environment.upstreamUrl()}/${PREFIX}/12/x`, /Has a node at this address/],
  ];
  for (const [guess, found] of guesses) {
    await test.step(guess, async () => {
      await everything.fill(guess);
      await expect(page.getByRole('button', { name: found }).first()).toBeVisible();
    });
  }
  await everything.fill(`/${PREFIX}s/12/items`);
  await expect(page.getByRole('button', { name: /Similar path/ })).toBeVisible();
  await expectNoViolations(page);
  await page.keyboard.press('Escape');

  await page.goto(at('/routes'));
  await page.getByRole('searchbox', { name: 'Search' }).fill(`${PREFIX}-nodes`);
  const nearest = page.getByRole('region', { name: 'Nearest matches' });
  await expect(nearest.getByRole('link', { name: `${PREFIX}-nodes`, exact: true })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search' }).fill(`${PREFIX}-rotue`);
  await expect(nearest.getByRole('link', { name: `${PREFIX}-route`, exact: true })).toBeVisible();
  await expectNoViolations(page);

  await page.goto(at(`/route-test?url=${encodeURIComponent(`/${PREFIX}s/12/items`)}`));
  await expect(nearest.getByRole('link', { name: `${PREFIX}-route`, exact: true })).toBeVisible();
});
