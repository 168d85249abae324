import { defineConfig } from '@playwright/test';
import { browser } from './support/browser';

/** Saves pictures of every page in both colour schemes; `npm run screenshots`. */
export default defineConfig({
  testDir: './screenshots',
  testMatch: '*.shots.ts',
  outputDir: './target/test-results/artifacts',
  globalSetup: './support/global-setup.ts',
  workers: 1,
  timeout: 180_000,
  reporter: [['list']],
  use: browser,
});
