// Prints "N passed, N failed" for all JUnit reports that this run left behind: surefire's, vitest's, Playwright's.
// Lists the tests that failed and passed when they ran again.
// Usage: count-tests.mjs DIRECTORY EXIT_CODE. Exits with EXIT_CODE, or with 1 where a test failed or none ran.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [directory, exitCode] = [process.argv[2] ?? '.', Number(process.argv[3] ?? 0)];

function* reports(parent) {
  for (const entry of readdirSync(parent, { withFileTypes: true })) {
    const path = join(parent, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules' && !entry.name.startsWith('.git')) {
        yield* reports(path);
      }
    } else if (/[/\\]target[/\\](surefire-reports[/\\]TEST-.*|test-results[/\\].*)\.xml$/.test(path)) {
      yield path;
    }
  }
}

let passed = 0;
let failed = 0;
const flaky = [];
for (const path of reports(directory)) {
  const xml = readFileSync(path, 'utf8').replaceAll(/<!\[CDATA\[[\s\S]*?\]\]>/g, '');
  for (const [, attributes] of xml.matchAll(/<testsuite\s([^>]*)>/g)) {
    const count = (name) => Number(new RegExp(`(?:^|\\s)${name}="(\\d+)"`).exec(attributes)?.[1] ?? 0);
    const bad = count('failures') + count('errors');
    failed += bad;
    passed += count('tests') - bad - count('skipped');
  }
  for (const [, name, classname, content] of xml.matchAll(
    /<testcase\s+name="([^"]*)"\s+classname="([^"]*)"[^>]*[^/]>([\s\S]*?)<\/testcase>/g,
  )) {
    if (/<flaky(Failure|Error)\b/.test(content)) {
      flaky.push(`${classname}#${name}`);
    }
  }
}

if (flaky.length > 0) {
  console.log(`${flaky.length} flaky, passed when run again: ${flaky.join(', ')}`);
}

let code = exitCode;
if (code !== 0 && failed === 0) {
  console.log('A step other than a test failed, see above; it is counted as one failure.');
  failed = 1;
} else if (failed > 0 && code === 0) {
  code = 1;
} else if (passed === 0 && code === 0) {
  console.log('No test ran.');
  code = 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(code);
