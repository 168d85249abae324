import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core';

const sigma: MantineColorsTuple = [
  '#eef0fd',
  '#dcdff8',
  '#b9bff0',
  '#98a1ea',
  '#7c86e2',
  '#6670da',
  '#5660d2',
  '#4a53c4',
  '#3e47ab',
  '#323a90',
];

const dark: MantineColorsTuple = [
  '#dfe2e9',
  '#bcc1cc',
  '#9aa1b0',
  '#7f8798',
  '#3a404d',
  '#2a2f3a',
  '#20242d',
  '#181b22',
  '#12151a',
  '#0c0e12',
];

export const theme = createTheme({
  primaryColor: 'sigma',
  primaryShade: { light: 7, dark: 7 },
  colors: { sigma, dark },
  defaultRadius: 'md',
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Table: { styles: { th: { whiteSpace: 'nowrap' } } },
    Notification: { styles: { description: { color: 'var(--mantine-color-dimmed)' } } },
  },
});

/** Where the library's defaults have too little contrast to be read (WCAG 2.2, 1.4.3). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': '#ab2222',
  },
  light: {
    '--mantine-color-text': '#1b1f29',
    '--mantine-color-dimmed': '#596072',
    '--mantine-color-placeholder': '#707789',
    '--mantine-color-error': '#c22525',
    '--mantine-color-anchor': 'var(--mantine-color-sigma-7)',
    '--mantine-color-default-border': '#dde1e8',
    '--mantine-color-sigma-light-color': 'var(--mantine-color-sigma-8)',
    '--mantine-color-red-light-color': '#b42020',
    '--mantine-color-yellow-light-color': '#7a4f00',
    '--mantine-color-green-light-color': '#186a2e',
    '--mantine-color-gray-light-color': '#4a5162',
    '--sigma-page': '#f6f7f9',
    '--sigma-added': '#e3f5e7',
    '--sigma-removed': '#fdeaea',
    '--sigma-good': '#2b9a48',
    '--sigma-pending': '#c98a00',
    '--sigma-warning-text': '#5f3d00',
    '--sigma-warning': '#fff3d6',
    '--sigma-warning-border': '#f0d79a',
  },
  dark: {
    '--mantine-color-dimmed': '#9aa1b0',
    '--mantine-color-placeholder': '#8a92a3',
    '--mantine-color-error': '#ff8f8f',
    '--mantine-color-anchor': 'var(--mantine-color-sigma-3)',
    '--mantine-color-default-border': '#2f3541',
    '--mantine-color-sigma-light-color': 'var(--mantine-color-sigma-2)',
    '--mantine-color-red-light-color': '#ffa8a8',
    '--mantine-color-yellow-light-color': '#ffd873',
    '--mantine-color-green-light-color': '#8ce0a0',
    '--mantine-color-gray-light': '#2a2f3a',
    '--mantine-color-gray-light-color': '#bcc1cc',
    '--sigma-page': '#12151a',
    '--sigma-added': '#15301d',
    '--sigma-removed': '#381a1c',
    '--sigma-good': '#51cf66',
    '--sigma-pending': '#ffc94d',
    '--sigma-warning-text': '#ffe2a0',
    '--sigma-warning': '#3a2d10',
    '--sigma-warning-border': '#5a4720',
  },
});
