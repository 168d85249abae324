import { useMediaQuery } from '@mantine/hooks';

/** Returns whether the window is as narrow as a phone. */
export function useNarrow(): boolean {
  return useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false });
}
