// Generates all that the dashboard takes from openapi/sigma-admin.yaml: the typed client, and the facts its forms show.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { writeContractFacts } from './contract-facts.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { status, error } = spawnSync(
  './mvnw',
  ['-q', '-pl', 'openapi', '-Ptypescript-client', 'generate-sources'],
  { cwd: root, stdio: 'inherit' },
);
if (error) {
  throw error;
}
if (status !== 0) {
  process.exit(status ?? 1);
}
writeContractFacts();
