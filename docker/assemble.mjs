// assemble.mjs BUILT TARGET apps/NAME: copies the files that one service needs at run time, from a built tree and from the
// node_modules of the working directory. Leaves out tests, types, maps and sources.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const [built, target, app] = process.argv.slice(2);
const getFolder = new Map(
  ['libs', 'apps'].flatMap((parent) =>
    readdirSync(join(built, parent)).map((name) => [`@quarry/${name}`, `${parent}/${name}`]),
  ),
);
const readManifest = (folder) => JSON.parse(readFileSync(join(built, folder, 'package.json'), 'utf8'));

/** The folders of the service and of the workspace packages that it depends on. */
const folders = new Set([app]);
for (const folder of folders) {
  for (const name of Object.keys(readManifest(folder).dependencies ?? {})) {
    if (getFolder.has(name)) folders.add(getFolder.get(name));
  }
}

const NOT_NEEDED = /\.([cm]?ts|map|tsbuildinfo)$|\.spec\.js$|\/dist\/testing(\/|$)/;
/** Matches the native libraries of onnxruntime-node, of which only the one for this platform is copied. */
const BINARIES = /\/onnxruntime-node\/bin\/[^/]+\/([^/]+)(?:\/([^/]+))?/;
for (const folder of folders) {
  for (const part of ['package.json', 'dist', 'migrations', 'node_modules']) {
    const source = part === 'node_modules' ? join(folder, part) : join(built, folder, part);
    if (existsSync(source)) copyFiles(source, join(target, folder, part));
  }
}
copyFiles('node_modules', join(target, 'node_modules'));

// Removes links to other workspaces, and programs that no service starts.
const links = join(target, 'node_modules', '@quarry');
for (const name of readdirSync(links)) if (!existsSync(join(links, name, 'package.json'))) rmSync(join(links, name));
rmSync(join(target, 'node_modules', '.bin'), { recursive: true, force: true });
rmSync(join(target, 'node_modules', '.package-lock.json'), { force: true });

function copyFiles(from, to) {
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !NOT_NEEDED.test(path) && isNeededOnThisPlatform(path),
  });
}

function isNeededOnThisPlatform(path) {
  const [, platform = process.platform, arch = process.arch] = BINARIES.exec(path) ?? [];
  return platform === process.platform && arch === process.arch;
}
