// Opens a notebook in JupyterLab, runs its cell, and waits for what it writes.
import { browse } from './browser.mjs';

await browse(`${process.argv[2]}/lab/tree/a.ipynb?token=a-token`, async (page) => {
  const sockets = [];
  page.on('websocket', (socket) => sockets.push(socket.url()));
  const cell = page.locator('.jp-Notebook .jp-CodeCell').first();
  await cell.locator('.cm-content').click();
  await page.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]').waitFor();
  await page.keyboard.press('Shift+Enter');
  await cell.locator('.jp-OutputArea', { hasText: 'sum 499500' }).waitFor();
  await page.keyboard.press('Control+s');
  await page.waitForResponse((response) => response.request().method() === 'PUT' && response.url().includes('/api/contents/a.ipynb') && response.ok());
  return `ran a cell and saved, ${sockets.length} WebSockets`;
});
