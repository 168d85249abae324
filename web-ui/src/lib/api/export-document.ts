import { api, call } from '@/lib/api/client';

/** Returns the whole state as a sigma.json file, and what that does not say. */
export async function exportSigmaJson() {
  return (await call(api.configuration.exportSigmaJsonRaw())).value;
}

/** Returns the whole state. */
export async function exportConfig() {
  return (await call(api.configuration.getConfigRaw({}))).value;
}
