// What the build does for the first load: files are compressed once, and its script has a budget.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Compressed script that login and overview may load. */
const FIRST_LOAD_BYTES_MAX = 200 * 1024;
const BYTES_MIN = 1024;
const COMPRESSIBLE = /\.(js|css|html|svg|json|txt)$/;

/** Writes a .br and a .gz beside each file of the build that gets smaller by it; the control plane serves them. */
export function compressed() {
  let folder = 'dist';
  return {
    name: 'sigma-compressed',
    apply: 'build',
    configResolved: (config) => {
      folder = join(config.root, config.build.outDir);
    },
    closeBundle: () => {
      for (const file of filesIn(folder)) {
        const content = readFileSync(file);
        if (COMPRESSIBLE.test(file) && content.length >= BYTES_MIN) {
          writeFileSync(`${file}.br`, brotliOf(content));
          writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
        }
      }
    },
  };
}

/** Fails the build when the script of the first load, which is what the entry imports statically, has grown too much. */
export function withinBudget() {
  return {
    name: 'sigma-budget',
    apply: 'build',
    generateBundle(_, bundle) {
      const first = firstLoad(bundle);
      const bytes = first.reduce((sum, { code }) => sum + brotliOf(Buffer.from(code)).length, 0);
      const text = `the first load has ${Math.ceil(bytes / 1024)} KiB of compressed script in ${first.length} files`;
      if (bytes > FIRST_LOAD_BYTES_MAX) {
        this.error(`${text} (expected: at most ${FIRST_LOAD_BYTES_MAX / 1024} KiB)`);
      }
      this.info(text);
    },
  };
}

function firstLoad(bundle) {
  const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
  const wanted = new Set();
  const add = (name) => {
    const chunk = chunks.find(({ fileName }) => fileName === name);
    if (chunk !== undefined && !wanted.has(chunk)) {
      wanted.add(chunk);
      chunk.imports.forEach(add);
    }
  };
  chunks.filter(({ isEntry }) => isEntry).forEach(({ fileName }) => add(fileName));
  return [...wanted];
}

function brotliOf(content) {
  return brotliCompressSync(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  });
}

function filesIn(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesIn(path) : [path];
  });
}
