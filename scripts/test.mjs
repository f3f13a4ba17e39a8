// npm test: installs, builds, and runs all tests. The last lines list failures, skip reasons and totals.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatSummary } from './test-summary.mjs';
import { build, buildConsole, install, requireNode, run, tool } from './toolchain.mjs';

await install();
requireNode();
await build();
await buildConsole();

const SYSTEM_TESTS = 'apps/system-tests';
const folder = mkdtempSync(join(tmpdir(), 'quarry-test-'));

// The system tests run last and alone, because they need the whole machine.
const parts = [];
for (const projects of [`!${SYSTEM_TESTS}`, SYSTEM_TESTS]) parts.push(await runTests(projects));
rmSync(folder, { recursive: true });

for (const line of formatSummary(parts.map(({ report }) => report))) console.log(line);
process.exit(parts.some(({ code }) => code !== 0) ? 1 : 0);

async function runTests(projects) {
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
  return { code, report: JSON.parse(readFileSync(report, 'utf8')) };
}
