// Opens a page in Chromium, lets a function use it, and prints what that returns.
import { chromium } from 'playwright-core';

export async function browse(url, use) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  try {
    // The certificate's root is not among those of Chromium.
    const page = await browser.newPage({ ignoreHTTPSErrors: true });
    page.setDefaultTimeout(60_000);
    const problems = [];
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.goto(url);
    try {
      console.log(await use(page));
    } catch (error) {
      console.log(problems.join('\n'));
      throw error;
    }
  } finally {
    await browser.close();
  }
}
