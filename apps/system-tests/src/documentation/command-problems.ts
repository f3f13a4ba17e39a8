import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listComposeHostVariables } from '../deployment/compose-file.js';
import { parseDockerfile } from '../deployment/dockerfile.js';
import { ROOT } from './read-documents.js';

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
}

/** The built-in commands of npm that the documents use. They need no script in package.json. */
const NPM_COMMANDS = ['ci', 'install', 'pack', 'rebuild'];
const OWN_PATH = /^(?:\.\.?\/)?(?:apps|bench|clients|docker|docs|examples|k8s|libs|scripts)\/[\w./-]+$/;

/**
 * Returns a problem for each nonexistent thing that a documented command contains: a variable, file, npm script,
 * program or build argument.
 */
export function findCommandProblems(command: string): readonly string[] {
  const words = command.split(/\s+/).filter((word) => word !== '');
  const first = words.findIndex((word) => !/^[A-Z][A-Z0-9_]*=/.test(word));
  const settings = words.slice(0, first);
  const [program = '', ...args] = words.slice(settings.length);
  return [
    ...settings.filter((word) => !isExistingVariable(word)).map((word) => `no source reads the variable ${word}`),
    ...args
      .filter((word) => OWN_PATH.test(word) && !isCreatedByScript(word) && !existsSync(join(ROOT, word)))
      .map(findMissingFile),
    ...(program === 'npm' ? findNpmProblems(args) : []),
    ...(program === 'npx' ? findNpxProblems(args) : []),
    ...(program === 'docker' ? findDockerProblems(args) : []),
  ];
}

const findMissingFile = (path: string): string => `there is no ${path}`;

/** Returns whether docker/make-secrets.sh creates the path. The documents run this script before other commands. */
function isCreatedByScript(path: string): boolean {
  return path.startsWith('docker/secrets/');
}

/**
 * Returns whether the compose file, `stacks.ts` or docs/operations.md contains an environment variable.
 *
 * @param word name of the variable, or an assignment `NAME=value`
 */
function isExistingVariable(word: string): boolean {
  const [name = ''] = word.split('=');
  if (listComposeHostVariables().has(name)) return true;
  const places = ['apps/system-tests/src/quarry/stacks.ts', 'docs/operations.md'];
  return places.some((place) => new RegExp(`\\b${name}\\b`).test(readFileSync(join(ROOT, place), 'utf8')));
}

function findNpmProblems(args: readonly string[]): readonly string[] {
  const workspace = args[args.indexOf('-w') + 1];
  const folder = args.includes('-w') ? findWorkspaceFolder(workspace ?? '') : '.';
  if (folder === undefined) return [`there is no workspace ${workspace ?? ''}`];
  const script = args[0] === 'run' ? args[1] : args[0];
  if (script === undefined || NPM_COMMANDS.includes(script)) return [];
  const { scripts = {} } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest; // the npm manifest
  return script in scripts ? [] : [`${folder}/package.json has no script ${script}`];
}

/**
 * Returns the folder of a workspace; the root folder for the placeholder `<workspace>`; undefined for an unknown
 * workspace.
 */
function findWorkspaceFolder(workspace: string): string | undefined {
  if (workspace.startsWith('<')) return '.';
  const name = workspace.replace('@quarry/', '');
  return ['apps', 'libs', 'examples'].map((parent) => `${parent}/${name}`).find((path) => existsSync(join(ROOT, path)));
}

/** Matches a program with an exact version, such as `name@1.2.3`. `npx` downloads it, so it need not be installed. */
const DOWNLOADED = /^[\w-]+@\d+\.\d+\.\d+$/;

function findNpxProblems([tool = '', ...args]: readonly string[]): readonly string[] {
  if (DOWNLOADED.test(tool)) return [];
  if (!existsSync(join(ROOT, 'node_modules', '.bin', tool))) return [`npm installs no program ${tool}`];
  if (tool === 'nx') return findNxProblems(args);
  return args.flatMap((word) => {
    const [, name, value = ''] = /^--(config|project)=(.*)$/.exec(word) ?? [];
    return name !== undefined && !existsSync(join(ROOT, value)) ? [findMissingFile(value)] : [];
  });
}

/** The Nx targets that `nx.json` defines, and that need no script in package.json. */
const NX_TARGETS = ['build'];

function findNxProblems([target = '', project]: readonly string[]): readonly string[] {
  if (project === undefined) return [];
  const folder = findWorkspaceFolder(project);
  if (folder === undefined) return [`there is no project ${project}`];
  const { scripts = {} } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest; // the npm manifest
  return target in scripts || NX_TARGETS.includes(target) ? [] : [`${folder}/package.json has no script ${target}`];
}

function findDockerProblems(args: readonly string[]): readonly string[] {
  const file = args[args.indexOf('-f') + 1] ?? '';
  if (args[0] !== 'build' || !existsSync(join(ROOT, file))) return [];
  const { buildArguments } = parseDockerfile(readFileSync(join(ROOT, file), 'utf8'));
  return args
    .filter((_word, index) => args[index - 1] === '--build-arg')
    .map((word) => word.split('=')[0] ?? '')
    .filter((name) => !buildArguments.has(name))
    .map((name) => `${file} declares no build argument ${name}`);
}
