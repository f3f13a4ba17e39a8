// npm run bench -- <benchmark> [arguments]: builds Quarry and runs a benchmark of the folder `bench`.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { APPS, bundleApps } from './bundles.mjs';
import {
  buildProjects,
  buildConsole,
  installPackages,
  installBaselines,
  getProjectNode,
  requireSupportedNode,
  root,
  runCommand,
  createServiceEnvironment,
} from './toolchain.mjs';

/** Lists the benchmarks that compare Quarry with the libraries of bench/baselines. */
const WITH_BASELINES = ['crawl', 'extraction', 'ingest', 'passthrough', 'readers'];

const [benchmark = '', ...rest] = process.argv.slice(2);
if (!/^[a-z-]+$/.test(benchmark) || !existsSync(join(root, 'bench', benchmark, 'main.ts'))) {
  console.error(
    `expected the name of a folder in bench that contains a main.ts, found ${JSON.stringify(benchmark)}; see bench/README.md`,
  );
  process.exit(1);
}

await installPackages();
requireSupportedNode();
if (WITH_BASELINES.includes(benchmark)) await installBaselines();
if (benchmark === 'size') await buildConsole();
await buildProjects('bench');
await bundleApps(...APPS);
process.exit(
  await runCommand(
    [getProjectNode(), join('bench', 'dist', benchmark, 'main.js'), ...rest],
    createServiceEnvironment({ QUARRY_SYSTEM_TEST_BUNDLES: 'yes' }),
  ),
);
