// npm test: installs, builds, and runs all tests. Arguments are passed on to Vitest. The last lines list failures, skip
// reasons and totals.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { APPS, bundleApps } from './bundles.mjs';
import { formatSummary } from './test-summary.mjs';
import {
  buildProjects,
  buildConsole,
  installPackages,
  installClientGenerators,
  installGeneratedClientLibraries,
  installDeployedClients,
  installPythonClient,
  requireSupportedNode,
  runCommand,
  getToolPath,
} from './toolchain.mjs';

await installPackages();
requireSupportedNode();
await buildProjects();
await buildConsole();
await bundleApps(...APPS);
await installDeployedClients();
await installPythonClient();
await installClientGenerators();
await installGeneratedClientLibraries();

const SYSTEM_TESTS = 'apps/system-tests';
const folder = mkdtempSync(join(tmpdir(), 'quarry-test-'));

// The system tests run last and alone, because the other tests use every core, and the system tests need the whole
// machine.
const parts = [await runTestsOfProjects(`!${SYSTEM_TESTS}`, '--maxWorkers=100%')];
parts.push(await runTestsOfProjects(SYSTEM_TESTS));
rmSync(folder, { recursive: true });

for (const line of formatSummary(parts.map(({ report }) => report))) console.log(line);
process.exit(parts.some(({ code }) => code !== 0) ? 1 : 0);

async function runTestsOfProjects(projects, ...options) {
  const report = join(folder, 'report.json');
  const command = [
    getToolPath('vitest'),
    'run',
    '--config=vitest.all.config.ts',
    `--project=${projects}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...options,
    ...process.argv.slice(2),
  ];
  const code = await runCommand(command, { QUARRY_SYSTEM_TEST_BUNDLES: 'yes' });
  return { code, report: JSON.parse(readFileSync(report, 'utf8')) };
}
