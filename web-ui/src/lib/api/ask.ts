import type { QueryClient, QueryExecuteOptions, QueryKey } from '@tanstack/react-query';
import { currentSession } from '@/lib/session';

/**
 * Starts a query whose answer a page shows soon. The page asks again if it fails. Nothing is asked for somebody who has to
 * change the password first: the control plane refuses it, and keeps a record of each time.
 */
export function ask<T, K extends QueryKey>(
  client: QueryClient,
  options: QueryExecuteOptions<T, Error, T, T, K>,
): void {
  const { account, expired } = currentSession();
  if (!expired && account?.mustChangePassword !== true) {
    client.query(options).catch(() => undefined);
  }
}
