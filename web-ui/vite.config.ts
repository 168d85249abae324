import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { compressed, withinBudget } from './scripts/compress.mjs';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [react(), withinBudget(), compressed()],
  resolve: {
    alias: {
      '@': at('./src'),
      '#client': at('./generated/client/index.ts'),
      '#contract': at('./generated/contract/contract-facts.ts'),
    },
  },
  server: {
    host: '127.0.0.1',
    // A test reads the examples of the contract.
    fs: { allow: ['.', '../openapi'] },
    proxy: { '/api': process.env.SIGMA_DEV_API ?? 'http://127.0.0.1:9080' },
  },
  build: {
    // The control plane's Content-Security-Policy allows scripts, styles and fonts as files of its own only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What changes with every release apart from what does not. Of the component library, each page brings what it uses.
        codeSplitting: {
          groups: [{ name: 'vendor', test: /node_modules[\\/](react|react-dom|scheduler|@tanstack)[\\/]/ }],
        },
      },
    },
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['./src/test/setup.ts'],
    restoreMocks: true,
    testTimeout: 60_000,
  },
});
