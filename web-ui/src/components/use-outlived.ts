import { useState } from 'react';
import { ApiError, UnreachableError } from '@/lib/api/api-error';
import { useReachable } from '@/lib/reachability';
import { useSession } from '@/lib/session';

/**
 * Returns whether what this error says is over: the control plane was away and is back, or a login was asked for and done. Who reads
 * of it later would think that it is so now.
 */
export function useOutlived(error: Error | undefined): boolean {
  const reachable = useReachable();
  const { expired } = useSession();
  const lasts =
    error instanceof UnreachableError
      ? !reachable
      : error instanceof ApiError && error.status === 401 && expired;
  const [seen, setSeen] = useState({ error, lasted: lasts });
  if (seen.error !== error) {
    setSeen({ error, lasted: lasts });
  } else if (lasts && !seen.lasted) {
    setSeen({ error, lasted: true });
  }
  return seen.error === error && seen.lasted && !lasts;
}
