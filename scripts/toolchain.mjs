// What every npm script begins with: install what is missing, build what has changed, use the right Node.
// It runs on whatever Node the machine has, before anything is installed, so it imports nothing but Node itself.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
const modules = join(root, 'node_modules');
const stamp = join(modules, '.quarry-installed');
const REQUIRED_MAJOR = 24;

/** The Node 24 that came with the project; the one that runs now where there is none for this platform. */
export function projectNode() {
  const name = process.platform === 'win32' ? 'node-win' : `node-${process.platform}`;
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const brought = join(modules, `${name}-${process.arch}`, 'bin', file);
  return existsSync(brought) ? brought : process.execPath;
}

/** Installs the locked dependencies, unless this lockfile is installed already. */
export async function install() {
  if (isInstalled()) return;
  const npm = process.env.npm_execpath;
  const command = npm === undefined ? ['npm', 'ci'] : [process.execPath, npm, 'ci'];
  await step('Installing what is missing (about a minute the first time)', [...command, '--loglevel=error']);
  writeFileSync(stamp, lockfileHash());
}

/** Returns whether this lockfile is installed already, by one of the npm commands. */
export function isInstalled() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === lockfileHash();
}

function lockfileHash() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

/** Compiles what has changed since the last time. */
export async function build(...projects) {
  await step('Building', [projectNode(), join(modules, 'typescript', 'bin', 'tsc'), '-b', ...projects]);
}

/** Says clearly when the machine's Node is another one and the project could not bring its own. */
export function requireNode() {
  if (projectNode() !== process.execPath) return;
  const major = Number(process.versions.node.split('.')[0]);
  if (major === REQUIRED_MAJOR) return;
  console.error(
    `Quarry runs on Node ${REQUIRED_MAJOR}, found ${process.version}, and no Node ${REQUIRED_MAJOR} comes from npm for ${process.platform}-${process.arch}. Install Node ${REQUIRED_MAJOR} and try again.`,
  );
  process.exit(1);
}

/** Runs a tool of the project and shows what it prints. Resolves with its exit code. */
export function run(command, env = {}) {
  const [file, ...args] = command;
  const child = spawn(file, args, { cwd: root, stdio: 'inherit', env: environment(env) });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Path of a tool that npm installed. */
export function tool(name) {
  return join(modules, '.bin', name);
}

/** What Quarry's native parts run with, unless the environment says otherwise; docker/Dockerfile says the same. */
const NATIVE = {
  // What a thread frees, glibc keeps for it: with LanceDB's threads Quarry would hold twice as much.
  MALLOC_ARENA_MAX: '2',
  // While partitions of an index are split, warnings say of each that it is not there yet, or that there are few vectors in it.
  LANCEDB_LOG: 'warn,lance::index::vector::builder=error,lance_index::vector::kmeans=error',
};

/** Puts the project's own Node first, so that every tool runs on it. */
export function environment(extra = {}) {
  const paths = [join(modules, '.bin'), process.env.PATH];
  return {
    ...NATIVE,
    ...process.env,
    NX_DAEMON: 'false',
    NX_TUI: 'false',
    ...extra,
    PATH: paths.join(process.platform === 'win32' ? ';' : ':'),
  };
}

/** Runs one step, showing that it goes on and how long it took; what it printed is shown only when it failed. */
async function step(title, [file, ...args]) {
  const begun = Date.now();
  const seconds = () => `${Math.round((Date.now() - begun) / 1000)} s`;
  const live = process.stdout.isTTY;
  process.stdout.write(live ? `${title} …` : `${title} …\n`);
  const ticking = setInterval(
    () => {
      process.stdout.write(live ? `\r${title} … ${seconds()}` : `  … ${seconds()}\n`);
    },
    live ? 1_000 : 15_000,
  );
  const { code, output } = await capture(file, args);
  clearInterval(ticking);
  if (code !== 0) {
    console.error(`\n${title} failed:\n${output}`);
    process.exit(1);
  }
  process.stdout.write(`${live ? '\r' : ''}${title} … done in ${seconds()}\n`);
}

function capture(file, args) {
  const child = spawn(file, args, { cwd: root, env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('exit', (code) => resolve({ code: code ?? 1, output }));
  });
}
