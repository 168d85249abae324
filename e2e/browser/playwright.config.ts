import { defineConfig } from '@playwright/test';
import { browser } from './support/browser';

export default defineConfig({
  testDir: './tests',
  outputDir: './target/test-results/artifacts',
  globalSetup: './support/global-setup.ts',
  // One Sigma for all: the tests take turns, and each names its resources after itself.
  workers: 1,
  fullyParallel: false,
  forbidOnly: process.env.CI !== undefined,
  // A test that fails in CI runs once more; what passes then is listed as flaky.
  retries: process.env.CI === undefined ? 0 : 1,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  use: { ...browser, trace: 'retain-on-failure', screenshot: 'only-on-failure' },
});
