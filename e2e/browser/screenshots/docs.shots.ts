import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { test, type Page } from '@playwright/test';
import { batch } from '../support/admin-api';
import { environment } from '../support/environment';
import { at, loaded, logIn } from '../support/pages';
import { freePort } from '../support/ports';

/** The pictures of docs/dashboard.md. */
const folder =
  process.env.SIGMA_DOCS_SCREENSHOTS_DIR ??
  fileURLToPath(new URL('../../../docs/dashboard', import.meta.url));

/** A third of what a PNG takes, and still sharp. */
const JPEG_QUALITY = 82;
const TRAFFIC_MILLIS = 20_000;
const REQUEST_PAUSE_MILLIS = 40;
/** Nobody listens there. */
const NOBODY = 'http://127.0.0.1:9';

const asked: readonly { readonly host: string; readonly path: string }[] = [
  { host: 'shop.example.com', path: '/cart/7/items' },
  { host: 'shop.example.com', path: '/cart/8/items' },
  { host: 'shop.example.com', path: '/search' },
  { host: 'shop.example.com', path: '/' },
  { host: 'accounts.example.com', path: '/login' },
  { host: 'media.example.com', path: '/images/7' },
  { host: 'media.example.com', path: '/images/8' },
  { host: 'shop.example.com', path: '/pay' },
];

test.use({ viewport: { width: 1240, height: 760 } });

test.beforeAll(async () => {
  test.setTimeout(120_000);
  const port = await freePort();
  const node = environment.upstreamUrl();
  const other = node.replace('127.0.0.1', 'localhost');
  const put = (kind: string, id: string, body: object) => ({ action: 'PUT', kind, id, body });
  const upstream = (id: string, ...urls: readonly string[]) =>
    put('UPSTREAM', id, { nodes: urls.map((url) => ({ url })) });
  const pass = (id: string) => put('PROXY_PASS', id, { upstreamId: id });
  const route = (id: string, routerId: string, path: string, proxyPassId: string, more: object = {}) =>
    put('ROUTE', id, { routerId, path, proxyPassId, ...more });
  await batch([
    put('PROXY_SERVER', 'web', { port, host: '127.0.0.1' }),
    upstream('shop-v1', node, other),
    upstream('shop-v2', node),
    upstream('accounts', node),
    upstream('search', node, other),
    upstream('payments', NOBODY),
    upstream('media', node, other),
    put('PROXY_PASS', 'shop', {
      split: {
        targets: [
          { upstreamId: 'shop-v1', weight: 90 },
          { upstreamId: 'shop-v2', weight: 10 },
        ],
      },
    }),
    ...['accounts', 'search', 'payments', 'media'].map(pass),
    put('PROXY_PASS', 'moved', {
      redirect: { status: 308, location: 'https://new.example.com$request_uri' },
    }),
    put('ROUTER', 'shop', {
      proxyServerId: 'web',
      hosts: ['shop.example.com', 'www.shop.example.com'],
      plugins: { rateLimit: { requests: 100 }, requestId: {} },
    }),
    put('ROUTER', 'accounts', { proxyServerId: 'web', hosts: ['accounts.example.com'] }),
    put('ROUTER', 'media', { proxyServerId: 'web', hosts: ['media.example.com', '*.media.example.com'] }),
    route('shop-cart', 'shop', '/cart/:id/*', 'shop', {
      methods: ['GET', 'POST'],
      plugins: { rateLimit: { requests: 50 } },
    }),
    route('shop-home', 'shop', '/*', 'shop'),
    route('shop-search', 'shop', '/search', 'search'),
    route('shop-pay', 'shop', '/pay', 'payments'),
    route('shop-old', 'shop', '/old/*', 'moved', { enabled: false }),
    route('accounts', 'accounts', '/*', 'accounts'),
    route('images', 'media', '/images/*', 'media'),
    route('videos', 'media', '/videos/*', 'media'),
  ]);
  const end = Date.now() + TRAFFIC_MILLIS;
  for (let index = 0; Date.now() < end; index++) {
    send(port, asked[index % asked.length]);
    await pause(REQUEST_PAUSE_MILLIS);
  }
});

function send(port: number, one: (typeof asked)[number] | undefined): void {
  if (one !== undefined) {
    const { host, path } = one;
    request({ host: '127.0.0.1', port, path, headers: { Host: host } }, (response) => {
      response.resume();
    })
      // One route leads nowhere, so that there is something to see.
      .on('error', () => undefined)
      .end();
  }
}

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly act?: (page: Page) => Promise<void>;
  readonly dark?: boolean;
  readonly phone?: boolean;
}

const shots: readonly Shot[] = [
  { name: 'overview', path: '/' },
  { name: 'topology', path: '/topology' },
  { name: 'topology-dark', path: '/topology?at=upstreams%2Fshop-v1', dark: true },
  { name: 'topology-phone', path: '/topology?at=routes%2Fshop-cart', phone: true },
  { name: 'route', path: '/routes/shop-cart' },
  { name: 'plugins', path: '/routes/shop-cart?tab=plugins' },
  {
    name: 'add-plugin',
    path: '/routes/shop-cart?tab=plugins',
    act: async (page) => {
      await page.getByRole('button', { name: 'Add plugin' }).click();
      await page.getByRole('searchbox', { name: 'Search plugins' }).waitFor();
    },
    dark: true,
  },
];

for (const { name, path, act, dark = false, phone = false } of shots) {
  test(`the picture ${name}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
    if (phone) {
      await page.setViewportSize({ width: 390, height: 844 });
    }
    await logIn(page);
    await page.goto(at(path));
    await loaded(page);
    await act?.(page);
    // What is asked of the gateways comes after the page.
    await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
    await page.screenshot({
      path: `${folder}/${name}.jpg`,
      type: 'jpeg',
      quality: JPEG_QUALITY,
      animations: 'disabled',
    });
  });
}
