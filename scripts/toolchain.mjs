// The first steps of every npm script: install missing packages, build changes, and use the required Node version. This
// module runs on any installed version of Node, before packages are installed, so it imports only modules of Node
// and of this folder.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildNpmCommand, runNpmStep } from './npm-step.mjs';
import { createChildEnvironment, modules, root, runStepOrExit, runStepWithProgress } from './project-step.mjs';

export {
  buildNodeOptions,
  createChildEnvironment,
  createServiceEnvironment,
  root,
  runStepOrExit,
} from './project-step.mjs';

const stamp = join(modules, '.quarry-installed');
const REQUIRED_MAJOR = 24;

/**
 * Returns the path of the Node 24 that npm installed. If npm has none for this platform, returns the path of the
 * running Node.
 */
export function getProjectNode() {
  const name = process.platform === 'win32' ? 'node-win' : `node-${process.platform}`;
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const installed = join(modules, `${name}-${process.arch}`, 'bin', file);
  return existsSync(installed) ? installed : process.execPath;
}

/** Installs the dependencies of the lockfile, unless they are installed already. */
export async function installPackages() {
  if (arePackagesInstalled()) return;
  await runNpmStep('Installing packages (one to three minutes the first time)', 'ci');
  writeFileSync(stamp, computeHash('package-lock.json'));
}

/** Returns true if an npm script has already installed the dependencies of the current lockfile. */
export function arePackagesInstalled() {
  return hasStampOfSources(stamp, 'package-lock.json');
}

/** Installs the libraries with which the benchmarks compare Quarry, unless they are already installed. */
export async function installBaselines() {
  const folder = 'bench/baselines';
  const manifest = `${folder}/package.json`;
  const installed = join(root, folder, 'node_modules', '.quarry-installed');
  if (hasStampOfSources(installed, manifest)) return;
  await runNpmStep(
    'Installing the libraries with which the benchmarks compare Quarry',
    ...['install', '--prefix', folder, '--no-package-lock', '--ignore-scripts'],
  );
  writeFileSync(installed, computeHash(manifest));
}

/**
 * Installs the third-party clients that some tests run, unless they are already installed. If the registry is
 * unreachable, these tests are skipped.
 */
export async function installDeployedClients() {
  const folder = 'apps/system-tests/deployed-clients';
  const manifest = `${folder}/package.json`;
  const installed = join(root, folder, 'node_modules', '.quarry-installed');
  if (hasStampOfSources(installed, manifest)) return;
  // The optional peer dependencies of LangChain's package have versions that exclude each other.
  const options = [
    '--no-package-lock',
    '--ignore-scripts',
    '--legacy-peer-deps',
    '--prefer-offline',
    '--fetch-retries=0',
    '--fetch-timeout=30000',
  ];
  const command = buildNpmCommand('install', '--prefix', folder, ...options);
  const { code } = await runStepWithProgress('Installing the clients that the tests run', command);
  if (code === 0) writeFileSync(installed, computeHash(manifest));
}

/** Installs the Python client and the packages that its tests need. */
export async function installPythonClient() {
  const folder = 'clients/python';
  const packages = [`${join(root, folder)}[langchain,test]`];
  const title = 'Installing the Python client that the tests run';
  await installPythonPackages(folder, { title, packages, sources: listPythonSources(folder) });
}

/** Lists the files from which the Python client is built, without the folder `generated`, which the build creates. */
function listPythonSources(folder) {
  const own = readdirSync(join(root, folder, 'src', 'quarry')).filter((name) => /\.(py|typed)$/.test(name));
  return [
    ...['pyproject.toml', 'hatch_build.py', 'openapi-python-client.yaml'].map((name) => `${folder}/${name}`),
    ...own.toSorted().map((name) => `${folder}/src/quarry/${name}`),
    'libs/client/src/generated/openapi.json',
  ];
}

/** Installs the generators of Python clients that the tests run. */
export async function installClientGenerators() {
  const folder = 'apps/system-tests/deployed-clients';
  const manifest = `${folder}/requirements.txt`;
  const title = 'Installing the client generators that the tests run';
  await installPythonPackages(folder, {
    title,
    packages: ['--requirement', join(root, manifest)],
    sources: [manifest],
  });
}

/** The library that generated Go clients need, in the version of their `go.mod`. */
const GO_LIBRARY = 'gopkg.in/validator.v2@v2.0.1';

/**
 * Installs the libraries that generated clients for Java and Go need, unless they are already installed. Without Maven
 * or Go, the tests of these clients are skipped.
 */
export async function installGeneratedClientLibraries() {
  const folder = 'apps/system-tests/deployed-clients';
  const libraries = join(root, folder, '.libraries');
  const pom = `${folder}/pom.xml`;
  const copy = ['dependency:copy-dependencies', `-DoutputDirectory=${join(libraries, 'java')}`];
  const steps = [
    { name: 'java', source: pom, command: ['mvn', '-q', '-B', '-f', join(root, pom), ...copy] },
    { name: 'go', source: 'scripts/toolchain.mjs', command: ['go', 'mod', 'download', GO_LIBRARY] },
  ];
  mkdirSync(libraries, { recursive: true });
  for (const { name, source, command } of steps) {
    const installed = join(libraries, `.${name}-installed`);
    if (hasStampOfSources(installed, source)) continue;
    rmSync(installed, { force: true });
    const { code } = await runStepWithProgress(`Installing the libraries of generated clients for ${name}`, command);
    if (code === 0) writeFileSync(installed, computeHash(source));
  }
}

/**
 * Installs Python packages into a virtual environment in a folder, unless they are already installed from the same
 * sources. If Python is missing or its registry is unreachable, the tests that use the packages are skipped.
 */
async function installPythonPackages(folder, { title, packages, sources }) {
  const environment = join(root, folder, '.venv');
  const installed = join(environment, '.quarry-installed');
  if (hasStampOfSources(installed, ...sources)) return;
  // The stamp is removed first: if the installation fails, the tests must not use an earlier version.
  rmSync(installed, { force: true });
  const python = join(environment, process.platform === 'win32' ? 'Scripts' : 'bin', 'python');
  const created = await runStepWithProgress(title, ['python3', '-m', 'venv', environment]);
  if (created.code !== 0) return;
  const install = ['install', '--quiet', '--retries=1', '--timeout=30', ...packages];
  const { code } = await runStepWithProgress(title, [python, '-m', 'pip', ...install]);
  if (code === 0) writeFileSync(installed, computeHash(...sources));
}

function hasStampOfSources(file, ...sources) {
  return existsSync(file) && readFileSync(file, 'utf8') === computeHash(...sources);
}

function computeHash(...paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(readFileSync(join(root, path)));
  return hash.digest('hex');
}

/** Compiles the TypeScript projects that have changed. Default: all projects of the repository. */
export async function buildProjects(...projects) {
  const isFirst = !existsSync(join(root, 'libs', 'contracts', 'dist'));
  const title = isFirst ? 'Building (one to three minutes the first time)' : 'Building';
  await runStepOrExit(title, [getProjectNode(), join(modules, 'typescript', 'bin', 'tsc'), '-b', ...projects]);
}

/** Builds the console if its sources have changed since the last build. */
export async function buildConsole() {
  const hash = computeConsoleHash();
  const built = join(root, CONSOLE, 'dist', '.built');
  if (existsSync(built) && readFileSync(built, 'utf8') === hash) return;
  const vite = join(modules, 'vite', 'bin', 'vite.js');
  await runStepOrExit('Building the console', [
    getProjectNode(),
    vite,
    'build',
    join(root, CONSOLE),
    '--logLevel=warn',
  ]);
  writeFileSync(built, hash);
}

const CONSOLE = 'apps/console';

/**
 * Computes a hash of the files from which the console is built: its own files, the files of the libraries that it
 * contains, and the lockfile.
 */
function computeConsoleHash() {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  for (const folder of [CONSOLE, 'libs/client', 'libs/http-responses', 'libs/text-analysis']) {
    const files = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((file) => !/[/\\](dist|node_modules|\.vite)[/\\]|\.spec\.tsx?$|tsbuildinfo$/.test(file));
    for (const file of files.toSorted()) hash.update(`\n${file}\n`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** Exits with an explanation if neither npm's Node nor the running Node has the required major version. */
export function requireSupportedNode() {
  if (getProjectNode() !== process.execPath) return;
  const major = Number(process.versions.node.split('.')[0]);
  if (major === REQUIRED_MAJOR) return;
  console.error(
    `Quarry requires Node ${REQUIRED_MAJOR}, found ${process.version}. npm provides no Node ${REQUIRED_MAJOR} for ${process.platform}-${process.arch}. Install Node ${REQUIRED_MAJOR} and try again.`,
  );
  process.exit(1);
}

/** Runs a command whose output goes to this terminal. Resolves with the exit code of the command. */
export function runCommand(command, env = {}) {
  const [file, ...args] = command;
  const child = spawn(file, args, { cwd: root, stdio: 'inherit', env: createChildEnvironment(env) });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** Returns the path of a program that npm installed. */
export function getToolPath(name) {
  return join(modules, '.bin', name);
}
