import { expect, test } from '@playwright/test';
import { expectNoViolationsInBothThemes } from '../support/accessibility';
import { get, put, putWholePath, remove, removeIfThere, removeWholePath } from '../support/admin-api';
import { environment } from '../support/environment';
import { freePort } from '../support/ports';
import { at, logIn } from '../support/pages';

const PREFIX = 'staged';

test.beforeAll(async () => putWholePath(PREFIX, await freePort()));
test.afterAll(async () => {
  await removeWholePath(PREFIX);
  await removeIfThere('upstreams', `${PREFIX}-new`);
});
test.beforeEach(({ page }) => logIn(page));

test('changes of several resources are staged, merged and published as one revision', async ({ page }) => {
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  const nodes = [{ url: environment.upstreamUrl() }];

  await test.step('a new resource and one that refers to it', async () => {
    await page.goto(at('/new/upstreams'));
    await page.getByRole('textbox', { name: 'Id' }).fill(`${PREFIX}-new`);
    await page.getByRole('textbox', { name: /^URL/ }).fill(environment.upstreamUrl());
    await page.getByRole('button', { name: 'Stage', exact: true }).click();
    await expect(page.getByText('Staged, not published yet: new upstream')).toBeVisible();

    await page.goto(at(`/proxy-passes/${PREFIX}-pass`));
    const upstream = page.getByRole('combobox', { name: 'Upstream' });
    await upstream.click();
    await upstream.fill(`${PREFIX}-n`);
    await page.getByRole('option', { name: `${PREFIX}-new` }).click();
    await page.getByRole('button', { name: 'Stage', exact: true }).click();
  });

  await test.step('one that somebody else changes too', async () => {
    await page.goto(at(`/upstreams/${PREFIX}-nodes`));
    await page.getByRole('textbox', { name: 'Name' }).fill('mine');
    await page.getByRole('button', { name: 'Stage', exact: true }).click();
    await put('upstreams', { id: `${PREFIX}-nodes`, name: 'Shop backends', labels: { by: 'them' }, nodes });
  });

  await test.step('all of them survive a reload and are reviewed together', async () => {
    await page.reload();
    await page.getByRole('link', { name: 'Staged changes: 3' }).click();
    await expect(page.getByRole('heading', { name: 'Staged changes' })).toBeVisible();
    const merge = page.getByRole('group', { name: 'Merge of both changes' });
    await expect(merge.getByRole('row', { name: 'Labels' })).toContainText('them');
    await expect(page.getByRole('button', { name: 'Publish 3 changes' })).toBeDisabled();
    await expectNoViolationsInBothThemes(page);
    await merge.getByRole('button', { name: 'Stage the merge' }).click();
    await expect(page.getByText(/can serve this\.|No gateway is connected/)).toBeVisible();
  });

  await test.step('one revision has them all', async () => {
    await page.getByRole('button', { name: 'Publish 3 changes' }).click();
    await expect(page.getByText(/^Revision \d+/).first()).toBeVisible();
    await expect(page.getByText('Nothing is staged')).toBeVisible();
    expect(await get('proxy-passes', `${PREFIX}-pass`)).toMatchObject({ upstreamId: `${PREFIX}-new` });
    expect(await get('upstreams', `${PREFIX}-nodes`)).toMatchObject({ name: 'mine', labels: { by: 'them' } });
  });
  expect(complaints.filter((text) => !text.includes('412'))).toEqual([]);
  await put('proxy-passes', { id: `${PREFIX}-pass`, upstreamId: `${PREFIX}-nodes` });
  await remove('upstreams', `${PREFIX}-new`);
});

test('what is discarded leaves the focus on the page', async ({ page }) => {
  const stage = async (name: string) => {
    await page.goto(at(`/upstreams/${PREFIX}-nodes`));
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByRole('button', { name: 'Stage', exact: true }).click();
    await page.getByRole('link', { name: 'Staged changes: 1' }).click();
  };
  await stage('one');
  await page.getByRole('button', { name: 'Discard all' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard 1 change' }).click();
  await expect(page.getByText('Nothing is staged')).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await page.goto(at(`/upstreams/${PREFIX}-nodes`));
  await expect(page.getByRole('textbox', { name: 'Name' })).not.toHaveValue('one');
});
