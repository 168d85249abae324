import { expect, type Page } from '@playwright/test';
import { environment } from './environment';

export function at(path: string): string {
  return environment.adminUrl() + path;
}

/** Every page that is opened from now on is logged in. */
export async function logIn(page: Page): Promise<void> {
  await page.addInitScript((token) => {
    sessionStorage.setItem('sigma.token', token);
  }, environment.token());
}

/** Every page there is, given one resource of each kind with this prefix. */
export function allPages(prefix: string): Readonly<Record<string, string>> {
  return {
    overview: '/',
    expose: '/expose',
    'proxy-servers': '/proxy-servers',
    routers: '/routers',
    routes: '/routes',
    'proxy-passes': '/proxy-passes',
    upstreams: '/upstreams',
    certificates: '/certificates',
    consumers: '/consumers',
    'new-proxy-server': '/new/proxy-servers',
    'new-router': '/new/routers',
    'new-route': '/new/routes',
    'new-proxy-pass': '/new/proxy-passes',
    'new-upstream': '/new/upstreams',
    'new-certificate': '/new/certificates',
    'new-consumer': '/new/consumers',
    'edit-proxy-server': `/proxy-servers/${prefix}-web`,
    'edit-router': `/routers/${prefix}-router`,
    route: `/routes/${prefix}-route`,
    'edit-route': `/routes/${prefix}-route?tab=edit`,
    'route-plugins': `/routes/${prefix}-route?tab=plugins`,
    'route-history': `/routes/${prefix}-route?tab=history`,
    'route-json': `/routes/${prefix}-route?tab=json`,
    'edit-proxy-pass': `/proxy-passes/${prefix}-pass`,
    'edit-upstream': `/upstreams/${prefix}-nodes`,
    'upstream-health': `/upstreams/${prefix}-nodes/health`,
    topology: '/topology',
    'route-test': `/route-test?url=${encodeURIComponent('/some/where')}&proxyServerId=${prefix}-web`,
    traffic: '/traffic',
    requests: '/requests',
    'route-traffic': `/routes/${prefix}-route?tab=traffic`,
    gateways: '/gateways',
    staged: '/staged',
    analysis: '/analysis',
    'analysis-errors': '/analysis?severity=ERROR',
    import: '/import',
    users: '/users',
    tokens: '/tokens',
    audit: '/audit',
    password: '/password',
    revisions: '/revisions',
    revision: '/revisions/1',
    'revisions-compared': '/revisions/3?from=1',
    'not-found': '/nowhere/at/all',
  };
}

/** Waits until nothing on the page is still loading. */
export async function loaded(page: Page): Promise<void> {
  await page.getByRole('heading').first().waitFor();
  // Several parts of a page may be loading at once.
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0, { timeout: 60_000 });
}

export async function openAllSections(page: Page): Promise<void> {
  const folded = page.locator('section h2 button[aria-expanded="false"]');
  while ((await folded.count()) > 0) {
    await folded.first().click();
  }
}
