import { readdirSync } from 'node:fs';
import js from '@eslint/js';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';

// Imports go one way: app → features → components → lib → locales. A feature does not know its neighbours.
// Relative imports stay within a folder, so that no path goes around these rules.
const climbing = {
  regex: '^\\.\\./',
  message: 'Import from another folder as @/…, so that the import boundaries can be checked.',
};
const arrow = (files, forbidden) => ({
  files,
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          climbing,
          ...forbidden.map((folder) => ({
            regex: `^@/${folder}/`,
            message: 'Imports go app → features → components → lib → locales.',
          })),
        ],
      },
    ],
  },
});
const features = readdirSync(new URL('./src/features', import.meta.url));

export default defineConfig(
  { ignores: ['dist', 'generated', 'target'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [
      tseslint.configs.strictTypeChecked,
      tseslint.configs.stylisticTypeChecked,
      reactHooks.configs.flat['recommended-latest'],
      jsxA11y.flatConfigs.strict,
    ],
    languageOptions: {
      globals: globals.browser,
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      // The router redirects and refuses by throwing these.
      '@typescript-eslint/only-throw-error': [
        'error',
        {
          allow: [{ from: 'package', package: '@tanstack/router-core', name: ['Redirect', 'NotFoundError'] }],
        },
      ],
    },
  },
  {
    // Files stay small enough to be read at once, as those of Java do.
    files: ['src/**/*.{ts,tsx}'],
    rules: { 'max-lines': ['error', 400] },
  },
  { files: ['scripts/**', '*.config.*'], languageOptions: { globals: globals.node } },
  { files: ['public/**'], languageOptions: { globals: globals.browser, sourceType: 'script' } },
  arrow(['src/app/**', 'src/test/**'], []),
  ...features.map((feature) =>
    arrow(
      [`src/features/${feature}/**`],
      ['app', ...features.filter((other) => other !== feature).map((other) => `features/${other}`)],
    ),
  ),
  arrow(['src/components/**'], ['app', 'features']),
  arrow(['src/lib/**'], ['app', 'features', 'components']),
  arrow(['src/locales/**'], ['app', 'features', 'components', 'lib']),
);
