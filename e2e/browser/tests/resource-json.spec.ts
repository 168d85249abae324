import { expect, test } from '@playwright/test';
import { expectNoViolationsInBothThemes } from '../support/accessibility';
import { get, putWholePath, removeWholePath } from '../support/admin-api';
import { freePort } from '../support/ports';
import { at, logIn } from '../support/pages';

const PREFIX = 'json';

test.beforeAll(async () => putWholePath(PREFIX, await freePort()));
test.afterAll(() => removeWholePath(PREFIX));

test('a resource is edited as JSON: marked where it is wrong, reviewed, saved', async ({ page }) => {
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await logIn(page);
  await page.goto(at(`/routers/${PREFIX}-router?tab=json`));
  const editor = page.getByRole('textbox', { name: `JSON of router ${PREFIX}-router` });
  await expect(editor).toContainText(`"id": "${PREFIX}-router"`);
  const read = await get('routers', `${PREFIX}-router`);
  const text = JSON.stringify({ ...read, hosts: ['a b'] }, null, 2);
  const write = async (next: string) => {
    await editor.click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText(next);
  };
  const remarks = page.getByRole('status', { name: 'Remarks on the JSON' });

  await test.step('what is wrong stands at its place, in words', async () => {
    await write(text);
    await expect(remarks).toContainText('Hosts › 1: “a b”');
    await expect(remarks).not.toContainText(/\^|\/operations|\[redacted\]/);
    await expect(editor.locator('.cm-lintRange-error')).toHaveText('"a b"');
  });

  await test.step('nobody is kept out', () => expectNoViolationsInBothThemes(page));

  await test.step('the key Tab leaves the editor', async () => {
    await editor.focus();
    await page.keyboard.press('Tab');
    await expect(editor).not.toBeFocused();
  });

  await test.step('it is reviewed and saved, and one stays', async () => {
    await write(text.replace('a b', 'json.example.com'));
    await expect(remarks).toBeEmpty();
    await page.getByRole('button', { name: 'Review 1 change' }).click();
    const dialog = page.getByRole('dialog', { name: `Review of router ${PREFIX}-router` });
    await expect(dialog.getByRole('row', { name: '/hosts' })).toContainText('json.example.com');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    await expect(editor).toContainText('json.example.com');
    await expect(page.getByRole('button', { name: 'Review 0 changes' })).toBeDisabled();
    await expect(editor).toBeFocused();
  });

  await test.step('as YAML too, with completion from the contract', async () => {
    await page.getByText('YAML', { exact: true }).click();
    const yaml = page.getByRole('textbox', { name: `YAML of router ${PREFIX}-router` });
    await expect(yaml).toContainText('- json.example.com');
    await yaml.click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.type('descr');
    await expect(page.getByRole('option', { name: /^description/ })).toBeVisible();
    await expectNoViolationsInBothThemes(page);
    await page.keyboard.press('Enter');
    await page.keyboard.type('by hand');
    await expect(yaml).toContainText('description: by hand');
    await page.getByRole('button', { name: 'Review 1 change' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('dialog')).toBeHidden();
    expect(await get('routers', `${PREFIX}-router`)).toMatchObject({ description: 'by hand' });
  });
  expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
});
