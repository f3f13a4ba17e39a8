// npm test: installs, builds, and runs every test there is; its last lines tell what failed, and count.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, install, requireNode, run, tool } from './toolchain.mjs';

await install();
requireNode();
await build();

const SYSTEM_TESTS = 'apps/system-tests';
const folder = mkdtempSync(join(tmpdir(), 'quarry-test-'));

// The system tests last, when nothing else competes with them.
const parts = [];
for (const projects of [`!${SYSTEM_TESTS}`, SYSTEM_TESTS]) parts.push(await test(projects));
rmSync(folder, { recursive: true });

const failures = parts.flatMap((part) => part.failures);
const sum = (count) => parts.reduce((total, part) => total + part[count], 0);
for (const failure of failures) console.log(failure);
console.log(`${sum('passed')} passed, ${failures.length} failed, ${sum('skipped')} skipped`);
process.exit(parts.some(({ code }) => code !== 0) ? 1 : 0);

async function test(projects) {
  const report = join(folder, `${parts.length}.json`);
  const code = await run([
    tool('vitest'),
    'run',
    '--config=vitest.all.config.ts',
    `--project=${projects}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ]);
  const counts = JSON.parse(readFileSync(report, 'utf8'));
  return {
    code,
    passed: counts.numPassedTests,
    skipped: counts.numPendingTests + counts.numTodoTests,
    failures: counts.testResults.flatMap(failuresOf),
  };
}

/** What failed in a file, to be told again at the end: a test's name and messages, or why the file could not run. */
function failuresOf({ name: file, status, message, assertionResults }) {
  const tests = assertionResults.filter((result) => result.status === 'failed');
  if (tests.length === 0) return status === 'failed' ? [`FAILED ${file}\n${message}`] : [];
  return tests.map((result) => `FAILED ${file} > ${result.fullName}\n${result.failureMessages.join('\n')}`);
}
