// npm test: installs, builds, and runs every test there is; the last line counts them.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, install, requireNode, run, tool } from './toolchain.mjs';

await install();
requireNode();
await build();

const folder = mkdtempSync(join(tmpdir(), 'quarry-test-'));
const report = join(folder, 'report.json');
const code = await run([
  tool('vitest'),
  'run',
  '--config=vitest.all.config.ts',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
  ...process.argv.slice(2),
]);
const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(report, 'utf8'));
rmSync(folder, { recursive: true });
console.log(`${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests + numTodoTests} skipped`);
process.exit(code);
