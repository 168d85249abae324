import { expect, test } from '@playwright/test';
import { at, logIn } from '../support/pages';

test('the dashboard speaks the language of the browser, and another one when it is chosen', async ({
  browser,
}) => {
  const context = await browser.newContext({ locale: 'zh-CN' });
  const page = await context.newPage();
  const failures: string[] = [];
  page.on('pageerror', ({ message }) => failures.push(message));

  await test.step('the login page is Chinese', async () => {
    await page.goto(at('/'));
    await expect(page.getByRole('heading', { name: '登录 Sigma' })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
  });

  await logIn(page);

  await test.step('so are pages, forms and what they load later', async () => {
    await page.goto(at('/'));
    await expect(page.getByRole('heading', { name: '概览', level: 1 })).toBeVisible();
    await expect(page.getByRole('link', { name: '代理服务器' }).first()).toBeVisible();
    await page.goto(at('/new/upstreams'));
    await expect(page.getByRole('heading', { name: '新建上游' })).toBeVisible();
  });

  await test.step('the menu changes it to English and back, and the choice is kept', async () => {
    await page.goto(at('/'));
    await page.getByRole('button', { name: '语言：简体中文' }).click();
    await page.getByRole('menuitem', { name: 'English' }).click();
    await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await page.goto(at('/gateways'));
    await expect(page.getByRole('heading', { name: 'Gateways', level: 1 })).toBeVisible();
    await page.getByRole('button', { name: 'Language: English' }).click();
    await page.getByRole('menuitem', { name: '简体中文' }).click();
    await expect(page.getByRole('heading', { name: '网关', level: 1 })).toBeVisible();
  });

  expect(failures).toEqual([]);
  await context.close();
});
