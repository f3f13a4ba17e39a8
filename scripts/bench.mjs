// npm run bench -- <question> [arguments]: builds Quarry and answers one question of the folder bench.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build, install, projectNode, requireNode, root, run } from './toolchain.mjs';

const [question = '', ...rest] = process.argv.slice(2);
if (!/^[a-z-]+$/.test(question) || !existsSync(join(root, 'bench', question, 'main.ts'))) {
  console.error(`expected a folder of bench with a main.ts, found ${JSON.stringify(question)}; see bench/README.md`);
  process.exit(1);
}

await install();
requireNode();
await build('bench');
process.exit(await run([projectNode(), join('bench', 'dist', question, 'main.js'), ...rest]));
