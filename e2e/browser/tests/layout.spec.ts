import { expect, test, type Page } from '@playwright/test';
import { put, putWholePath, remove, removeWholePath } from '../support/admin-api';
import { environment } from '../support/environment';
import { freePort } from '../support/ports';
import { resize } from '../support/resize';
import { allPages, at, loaded, logIn, openAllSections } from '../support/pages';

const PREFIX = 'layout';
const WIDTHS = [360, 390, 768, 1024, 1366, 1920];

test.beforeAll(async () => putWholePath(PREFIX, await freePort()));
test.afterAll(() => removeWholePath(PREFIX));

/** Returns the controls that a person can not see as a whole, and to which nothing scrolls. */
function outOfReach(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>(
      'button, a[href], input, select, textarea, [role="radio"], [role="switch"], [role="combobox"], .mantine-SegmentedControl-label',
    );
    const name = (element: HTMLElement) =>
      `${element.tagName.toLowerCase()} "${element.getAttribute('aria-label') ?? element.innerText}"`;
    const found: string[] = [];
    for (const control of Array.from(controls)) {
      const box = control.getBoundingClientRect();
      const hidden =
        !control.checkVisibility({ visibilityProperty: true, opacityProperty: true }) ||
        box.width <= 2 ||
        box.height <= 2 ||
        box.right < -1000;
      if (hidden) {
        continue;
      }
      let scrolls = false;
      for (let around = control.parentElement; around !== null; around = around.parentElement) {
        const { overflowX } = getComputedStyle(around);
        if (overflowX === 'auto' || overflowX === 'scroll') {
          scrolls = true;
          break;
        }
        const edge = around.getBoundingClientRect();
        if (overflowX !== 'visible' && (box.left < edge.left - 1 || box.right > edge.right + 1)) {
          found.push(`${name(control)} is cut off by ${around.className}`);
        }
      }
      if (!scrolls && (box.left < -1 || box.right > document.documentElement.clientWidth + 1)) {
        found.push(`${name(control)} is beyond the edge of the screen`);
      }
      const cut =
        control.matches('button, .mantine-SegmentedControl-label') &&
        control.scrollWidth > control.clientWidth + 1;
      if (cut && getComputedStyle(control).overflowX === 'hidden') {
        found.push(`the words of ${name(control)} are cut off`);
      }
    }
    if (document.documentElement.scrollWidth > document.documentElement.clientWidth + 1) {
      const wide = Array.from(document.querySelectorAll<HTMLElement>('main *')).filter(
        (element) => element.getBoundingClientRect().right > document.documentElement.clientWidth + 1,
      );
      found.push(`the page scrolls sideways, by ${wide.slice(0, 3).map(name).join(', ')}`);
    }
    return found;
  });
}

for (const [name, path] of Object.entries({ login: '/login', ...allPages(PREFIX) })) {
  test(`every control of the page ${name} is within reach at any width`, async ({ page }) => {
    if (name !== 'login') {
      await logIn(page);
    }
    await page.goto(at(path));
    await loaded(page);
    await openAllSections(page);
    for (const width of WIDTHS) {
      await resize(page, width);
      expect(await outOfReach(page), `at ${width} px`).toEqual([]);
    }
  });
}

for (const [name, path] of Object.entries(allPages(PREFIX))) {
  test(`no table of the page ${name} scrolls sideways on a phone`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await logIn(page);
    await page.goto(at(path));
    await loaded(page);
    await expect(page.locator('[data-scrolls]')).toHaveCount(0);
  });
}

test('the head of a long list covers no row, also where the list scrolls sideways', async ({ page }) => {
  await logIn(page);
  await page.goto(at('/routes'));
  await loaded(page);
  for (const width of [390, 768, 940, 1024, 1366]) {
    await resize(page, width);
    const head = await page.locator('main thead').boundingBox();
    const first = await page.locator('main tbody tr').first().boundingBox();
    expect((head?.y ?? 0) + (head?.height ?? 0), `at ${width} px`).toBeLessThanOrEqual((first?.y ?? 0) + 1);
  }
});

test('every action of a proxy pass is within reach at any width, with its rows', async ({ page }) => {
  await logIn(page);
  await page.goto(at('/new/proxy-passes'));
  await loaded(page);
  const actions = page.getByRole('radiogroup', { name: 'Action' });
  for (const action of await actions.locator('label').all()) {
    await action.click();
    for (const width of WIDTHS) {
      await resize(page, width);
      expect(await outOfReach(page), `at ${width} px`).toEqual([]);
    }
  }
});

test('a changed form keeps its buttons within reach at any width', async ({ page }) => {
  await logIn(page);
  await page.goto(at(`/upstreams/${PREFIX}-nodes`));
  await page.getByRole('textbox', { name: 'Name' }).fill('Changed');
  await expect(page.getByRole('button', { name: 'Review 1 change' })).toBeVisible();
  for (const width of WIDTHS) {
    await resize(page, width);
    expect(await outOfReach(page), `at ${width} px`).toEqual([]);
  }
});

for (const width of [360, 768, 1360]) {
  test(`a notice leaves the buttons of a form free at ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 700 });
    await logIn(page);
    await page.goto(at('/upstreams'));
    await page.getByRole('link', { name: `${PREFIX}-nodes`, exact: true }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill(`Shop ${width}`);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const notice = page.getByText(/^Revision \d+, acknowledged/).last();
    await expect(notice).toBeVisible();
    // To the next form, while the notice is there.
    await page.getByRole('link', { name: `${PREFIX}-nodes`, exact: true }).click();
    const button = page.getByRole('button', { name: 'Save', exact: true });
    await expect(button).toBeVisible();
    const shown = await notice.boundingBox();
    const covered = await button.boundingBox();
    expect(shown).not.toBeNull();
    expect(covered).not.toBeNull();
    expect((shown?.y ?? 0) + (shown?.height ?? 0)).toBeLessThanOrEqual(covered?.y ?? 0);
    await button.click({ trial: true });
  });
}

test('a name of 100 letters and one of HTML stay within the page and are nothing but text', async ({
  page,
}) => {
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const id = `${PREFIX}-${'x'.repeat(50)}`;
  const nodes = [{ url: environment.upstreamUrl() }];
  await put('upstreams', { id, name: 'W'.repeat(100), nodes });
  await put('upstreams', { id: `${PREFIX}-html`, name: '<img src=x onerror=alert(1)>', nodes });
  await logIn(page);
  for (const path of ['/upstreams', `/upstreams/${id}`, `/upstreams/${PREFIX}-html`]) {
    await page.goto(at(path));
    await loaded(page);
    for (const width of [360, 1024]) {
      await resize(page, width);
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(beyond, `${path} at ${width} px`).toBeLessThanOrEqual(0);
    }
  }
  await expect(page.getByRole('heading', { name: '<img src=x onerror=alert(1)>' })).toBeVisible();
  expect(dialogs).toEqual([]);
  await remove('upstreams', id);
  await remove('upstreams', `${PREFIX}-html`);
});
