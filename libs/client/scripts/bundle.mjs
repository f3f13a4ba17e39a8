// Completes dist for npm pack: bundles each entry as an ES module and a CommonJS module, and writes the types of both.
// Run it after tsc -b, which compiles dist.
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');
const commonJs = join(dist, 'cjs');

rmSync(commonJs, { recursive: true, force: true });
const types = readdirSync(dist, { recursive: true }).filter((path) => /(?<!\.spec)\.d\.ts$/.test(path));
for (const path of types) cpSync(join(dist, path), join(commonJs, path));
writeFileSync(join(commonJs, 'package.json'), '{"type":"commonjs"}\n');

for (const entry of ['index', 'langchain/index']) {
  for (const [format, outDir] of [
    ['es', dist],
    ['cjs', commonJs],
  ]) {
    await build({
      root,
      configFile: false,
      logLevel: 'warn',
      build: {
        lib: { entry: `src/${entry}.ts`, formats: [format], fileName: () => `${entry}.js` },
        outDir,
        emptyOutDir: false,
        minify: false,
        target: 'es2022',
        rolldownOptions: { external: /^@langchain\// },
      },
      resolve: { conditions: ['@quarry/source'] },
    });
  }
}
