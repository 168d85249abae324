import { accessSync, constants } from 'node:fs';
import type { PlaywrightTestOptions, PlaywrightWorkerOptions } from '@playwright/test';

/** The machine's Chromium where there is one (CHROMIUM_PATH names another), else the one that Playwright brings. */
export const browser: Partial<PlaywrightTestOptions & PlaywrightWorkerOptions> = {
  browserName: 'chromium',
  viewport: { width: 1360, height: 850 },
  // A dialog is there at once: what fades in has the colours and the size of no state.
  contextOptions: { reducedMotion: 'reduce' },
  launchOptions: {
    executablePath: process.env.CHROMIUM_PATH || systemChromium(),
    args: [
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // Chromium refuses to run as root in its sandbox.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  },
};

function systemChromium(): string | undefined {
  try {
    accessSync('/usr/bin/chromium', constants.X_OK);
    return '/usr/bin/chromium';
  } catch {
    return undefined;
  }
}
