import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';

/** Returns whether the colours are dark, and how to change that. */
export function useScheme(): { readonly dark: boolean; readonly switchScheme: () => void } {
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme('light') === 'dark';
  return { dark, switchScheme: () => setColorScheme(dark ? 'light' : 'dark') };
}
