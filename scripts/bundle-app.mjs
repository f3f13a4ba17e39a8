// bundle-app.mjs ROOT apps/NAME: bundles the modules of a built app into a few files, which Node loads faster than
// thousands of modules. Writes ROOT/apps/NAME/dist/bundle. Bundled files stay in place, because child processes and
// packages outside the bundle still use them.
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const [root, app] = process.argv.slice(2);
if (root === undefined || app === undefined) throw new Error('expected the arguments ROOT and apps/NAME');
const dist = resolve(root, app, 'dist');
const target = join(dist, 'bundle');

/**
 * Matches the packages that are loaded from node_modules: packages with native parts, and packages whose objects are
 * exchanged with them.
 */
const EXTERNAL = /^(@huggingface\/transformers|@lancedb\/lancedb|apache-arrow|onnxruntime-node|playwright-core)(\/|$)/;
/** Matches the expressions by which a module determines its own location. */
const LOCATION = /(?<!['"`.\w])(?:import\.meta\.(?:url|dirname|filename)|__dirname|__filename)\b/g;

/**
 * Replaces the expressions for the location of a module by the original location of the module. Relative to this
 * location, modules find migrations, child process entries and packages.
 */
const keepLocations = {
  name: 'keep-locations',
  transform: {
    filter: { id: /^[^\0]+\.[cm]?js$/, code: LOCATION },
    handler: (code, id) => code.replace(LOCATION, (expression) => locate(expression, id)),
  },
};

function locate(expression, id) {
  const file = expression.endsWith('dirname') ? dirname(id) : id;
  const path = relative(target, file).replaceAll('\\', '/');
  const url = `new URL(${JSON.stringify(path)}, bundleUrl)`;
  return expression === 'import.meta.url'
    ? `${url}.href`
    : `process.getBuiltinModule('node:url').fileURLToPath(${url})`;
}

rmSync(target, { recursive: true, force: true });
const bundle = await rolldown({
  cwd: resolve(root),
  input: join(dist, 'main.js'),
  platform: 'node',
  external: EXTERNAL,
  plugins: [keepLocations],
  logLevel: 'warn',
  // This warning is harmless: standalone imports LanceDB's adapter at start, other apps only on demand.
  onLog: (level, log, report) => log.code === 'INEFFECTIVE_DYNAMIC_IMPORT' || report(level, log),
});
const { output } = await bundle.write({
  dir: target,
  format: 'esm',
  // The comment with the path of each module stays, so that a line of a stack trace leads to the module.
  comments: { legal: true, jsdoc: false, annotation: false },
  // Logs contain the names of classes.
  keepNames: true,
  // Each file of the bundle defines its location, because CommonJS modules cannot use `import.meta`.
  intro: 'const bundleUrl = import.meta.url;',
});
await bundle.close();

// scripts/bundles.mjs compares the modification times of these files. A new version of a package may have old times, so
// the lockfile is one of them.
const modules = output
  .flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  .filter((id) => !id.includes('\0'));
const others = [fileURLToPath(import.meta.url), resolve(root, 'package-lock.json')];
writeFileSync(join(target, 'sources.json'), JSON.stringify([...modules, ...others]));
