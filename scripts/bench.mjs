// npm run bench -- <benchmark> [arguments]: builds Quarry and runs one benchmark of the folder bench.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  build,
  buildConsole,
  install,
  installBaselines,
  projectNode,
  requireNode,
  root,
  run,
  createServiceEnvironment,
} from './toolchain.mjs';

/** Lists the benchmarks that compare Quarry with libraries of bench/baselines. */
const WITH_BASELINES = ['crawl', 'extraction', 'ingest', 'passthrough', 'readers'];

const [benchmark = '', ...rest] = process.argv.slice(2);
if (!/^[a-z-]+$/.test(benchmark) || !existsSync(join(root, 'bench', benchmark, 'main.ts'))) {
  console.error(`expected a folder of bench with a main.ts, found ${JSON.stringify(benchmark)}; see bench/README.md`);
  process.exit(1);
}

await install();
requireNode();
if (WITH_BASELINES.includes(benchmark)) await installBaselines();
if (benchmark === 'size') await buildConsole();
await build('bench');
process.exit(
  await run([projectNode(), join('bench', 'dist', benchmark, 'main.js'), ...rest], createServiceEnvironment()),
);
