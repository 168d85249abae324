import { fileURLToPath } from 'node:url';
import { test } from '@playwright/test';
import { put, putWholePath } from '../support/admin-api';
import { environment } from '../support/environment';
import { allPages, at, loaded, logIn, openAllSections } from '../support/pages';

const folder =
  process.env.SIGMA_SCREENSHOTS_DIR ?? fileURLToPath(new URL('../target/screenshots', import.meta.url));

test.beforeAll(async () => {
  await putWholePath('shop', environment.gatewayPort());
  await put('routers', {
    id: 'shop-router',
    proxyServerId: 'shop-web',
    hosts: ['shop.example.com', '*.shop.example.com'],
  });
  await put('routes', {
    id: 'shop-route',
    routerId: 'shop-router',
    path: '/api/*',
    methods: ['GET', 'POST'],
    proxyPassId: 'shop-pass',
  });
  await put('proxy-passes', {
    id: 'moved',
    redirect: { status: 308, location: 'https://new.example.com$request_uri' },
  });
  await put('routes', {
    id: 'old-shop',
    routerId: 'shop-router',
    path: '/old/*',
    proxyPassId: 'moved',
    enabled: false,
  });
});

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(colorScheme, () => {
    test.use({ colorScheme });

    test('every page', async ({ page }) => {
      await page.goto(at('/login'));
      await loaded(page);
      await page.screenshot({ path: `${folder}/login-${colorScheme}.png` });
      await logIn(page);
      for (const [name, path] of Object.entries(allPages('shop'))) {
        await page.goto(at(path));
        await loaded(page);
        await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png` });
        if (name.startsWith('edit-')) {
          await openAllSections(page);
          await page.screenshot({ path: `${folder}/${name}-open-${colorScheme}.png`, fullPage: true });
        }
      }
    });
  });
}
