import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './ports';

const START_MILLIS_MAX = 90_000;
const STOP_MILLIS_MAX = 20_000;
const POLL_MILLIS = 200;
const LOG_LINES_SHOWN = 40;

export interface SigmaProcess {
  readonly adminUrl: string;
  stop(): Promise<void>;
}

/** Starts `sigma standalone` from the distribution, with an empty data directory, on free ports. */
export async function startSigma(token: string): Promise<SigmaProcess> {
  const command =
    process.env.SIGMA_E2E_COMMAND ??
    fileURLToPath(new URL('../../../deploy/cli/target/sigma/bin/sigma', import.meta.url));
  const dataDir = mkdtempSync(join(tmpdir(), 'sigma-browser-'));
  const logFile = join(fileURLToPath(new URL('../target/test-results', import.meta.url)), 'sigma.txt');
  mkdirSync(join(logFile, '..'), { recursive: true });
  const log = openSync(logFile, 'w');
  const adminPort = await freePort();
  const child = spawn(command, ['standalone'], {
    stdio: ['ignore', log, log],
    env: {
      ...withoutSigma(process.env),
      SIGMA_ADMIN_PORT: String(adminPort),
      SIGMA_TELEMETRY_PORT: String(await freePort()),
      SIGMA_CLUSTER_PORT: String(await freePort()),
      SIGMA_DATA_DIR: dataDir,
      // As long as those of clouds: no page is to depend on a short one.
      SIGMA_GATEWAY_ID: 'ip-10-0-117-203.eu-central-1.compute.internal-4f9c',
      SIGMA_STOP_DELAY_MILLIS: '0',
      SIGMA_WARM_UP_MILLIS: '0',
      SIGMA_ADMIN_TOKEN: token,
    },
  });
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      reject(new Error(`sigma standalone ended with ${code ?? 'a signal'}:\n${tail(logFile)}`));
    });
  });
  // It also ends when it is asked to, and then nobody waits for this.
  failed.catch(() => undefined);
  const adminUrl = `http://127.0.0.1:${adminPort}`;
  const stop = async () => {
    await stopped(child);
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await Promise.race([ready(adminUrl, logFile), failed]);
  } catch (failure) {
    await stop();
    throw failure;
  }
  return { adminUrl, stop };
}

async function ready(adminUrl: string, logFile: string): Promise<void> {
  const deadline = Date.now() + START_MILLIS_MAX;
  while (Date.now() < deadline) {
    const healthy = await fetch(`${adminUrl}/api/v1/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (healthy) {
      return;
    }
    await pause(POLL_MILLIS);
  }
  throw new Error(`sigma standalone is not ready after ${START_MILLIS_MAX} ms:\n${tail(logFile)}`);
}

async function stopped(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) {
    return;
  }
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => {
      resolve();
    });
  });
  child.kill('SIGTERM');
  const impatient = new AbortController();
  await Promise.race([
    gone,
    pause(STOP_MILLIS_MAX, undefined, { signal: impatient.signal }).catch(() => undefined),
  ]);
  impatient.abort();
  if (!hasEnded(child)) {
    child.kill('SIGKILL');
    await gone;
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function tail(file: string): string {
  return readFileSync(file, 'utf8').split('\n').slice(-LOG_LINES_SHOWN).join('\n');
}

/** Variables of these tests are no settings of Sigma, which refuses what it does not know. */
function withoutSigma(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('SIGMA_')));
}
