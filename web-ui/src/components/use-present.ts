import { useCallback, useEffect, useRef } from 'react';

/** Returns how to ask whether this is still on the screen, for what ends later. */
export function usePresent(): () => boolean {
  const present = useRef(true);
  useEffect(() => {
    present.current = true;
    return () => {
      present.current = false;
    };
  }, []);
  return useCallback(() => present.current, []);
}
