// Loads a page of Vite, changes a module of it, and waits for the change without a reload; again after a rest of 75 s.
import { writeFileSync } from 'node:fs';
import { browse } from './browser.mjs';

const [url, module] = process.argv.slice(2);
writeFileSync(module, "export const text = 'first';\n");
await browse('about:blank', async (page) => {
  const said = [];
  page.on('console', (message) => said.push(message.text()));
  await page.goto(`${url}/`);
  const shows = (text) =>
    page.locator('#text', { hasText: text }).waitFor({ timeout: 15_000 }).catch(() => {
      throw new Error(`the page does not show "${text}"; its console: ${said.join(' | ')}`);
    });
  await shows('first');
  await page.evaluate(() => (window.same = true));
  for (const [text, millis] of [['second', 1000], ['third', 75_000]]) {
    await page.waitForTimeout(millis);
    writeFileSync(module, `export const text = '${text}';\n`);
    await shows(text);
  }
  if (!(await page.evaluate(() => window.same))) {
    throw new Error(`the page was loaded again; its console: ${said.join(' | ')}`);
  }
  return 'two changes without a reload, the second after a rest of 75 s';
});
