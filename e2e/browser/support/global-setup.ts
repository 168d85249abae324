import { freePort } from './ports';
import { startSigma } from './sigma-process';
import { startUpstream } from './upstream';

const ADMIN_TOKEN = 'browser-test-admin-token';

/**
 * Starts Sigma with an empty store and a small upstream, and tells the tests where they are.
 * With SIGMA_E2E_ADMIN_URL set, the tests run against what is there already.
 */
export default async function globalSetup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.SIGMA_E2E_ADMIN_URL !== undefined) {
    return undefined;
  }
  const upstream = await startUpstream();
  const sigma = await startSigma(ADMIN_TOKEN).catch(async (failure: unknown) => {
    await upstream.close();
    throw failure;
  });
  process.env.SIGMA_E2E_ADMIN_URL = sigma.adminUrl;
  process.env.SIGMA_E2E_TOKEN = ADMIN_TOKEN;
  process.env.SIGMA_E2E_GATEWAY_PORT = String(await freePort());
  process.env.SIGMA_E2E_UPSTREAM_URL = upstream.url;
  return async () => {
    await sigma.stop();
    await upstream.close();
  };
}
