import { createHash } from 'node:crypto';
import { access, chown, constants, cp, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { getProgramPath, type Binaries } from './binaries.js';
import { pathExists } from './path-exists.js';
import { createMissingSymlinks } from './create-missing-symlinks.js';
import { runProgram, type Identity } from './run-program.js';
import { findOtherOwner } from './system-user.js';

/** Describes the folder of a cluster, and the programs and the account that run its server. */
export interface ServerPlacement {
  /** Path of the folder with the cluster, its password and its log. */
  readonly home: string;
  readonly binaries: Binaries;
  /** Account that runs the server. Undefined: the account of this process. */
  readonly identity: Identity | undefined;
}

export interface PlacementRequest {
  readonly directory: string;
  readonly binaries: Binaries;
  readonly systemUser: Identity | undefined;
  /** Path of the folder for the clusters and programs that the system user cannot access in their usual locations. */
  readonly reachableFolder: string;
  readonly log: (line: string) => void;
}

/**
 * Name of a file in the requested directory. The file contains the path of the cluster's folder if the cluster is in
 * another folder.
 */
export const LOCATION_FILE = 'location';
export const CLUSTER_FOLDER = 'cluster';
const CHECK_TIMEOUT_MS = 30_000;

/**
 * Determines the folder of a cluster, and the programs and the account for its server. The folder for a requested
 * directory is the same on each start, even if the permissions of the system user have changed.
 *
 * @throws Error if the programs do not run on this machine, or the directory is not accessible
 */
export async function determinePlacement(request: PlacementRequest): Promise<ServerPlacement> {
  const requested = resolve(request.directory);
  await createPrivateFolder(requested);
  await requireFolderAccess(requested);
  const home = await chooseClusterHome(requested, request);
  const identity = request.systemUser && ((await findOtherOwner(join(home, CLUSTER_FOLDER))) ?? request.systemUser);
  if (identity !== undefined) await chown(home, identity.uid, identity.gid);
  return { home, identity, binaries: await prepareRunnableBinaries(request, identity) };
}

async function requireFolderAccess(folder: string): Promise<void> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { uid } = await stat(folder);
    throw new Error(
      `the database folder ${folder} belongs to user ${uid} and is not accessible to user ${process.getuid?.() ?? 'of this process'}: start as user ${uid}, or choose another folder`,
      { cause: error },
    );
  }
}

/**
 * Returns the folder of the cluster for a requested directory: the recorded folder, if there is one. Otherwise the
 * directory itself, or a new folder if the account of PostgreSQL cannot write to the directory.
 */
async function chooseClusterHome(requestedFolder: string, request: PlacementRequest): Promise<string> {
  const recorded = await readRecordedHome(requestedFolder);
  if (recorded !== undefined) return recorded;
  if (request.systemUser === undefined || (await pathExists(join(requestedFolder, CLUSTER_FOLDER))))
    return requestedFolder;
  if (await chownIfWritable(requestedFolder, request.systemUser)) return requestedFolder;
  return createReachableHome(requestedFolder, request);
}

/**
 * Reads the location file of a requested directory. Returns undefined if there is none.
 *
 * @throws Error if the folder that the file names does not exist
 */
async function readRecordedHome(requestedFolder: string): Promise<string | undefined> {
  const file = join(requestedFolder, LOCATION_FILE);
  if (!(await pathExists(file))) return undefined;
  const location = (await readFile(file, 'utf8')).trim();
  if (await pathExists(location)) return location;
  throw new Error(
    `expected the database of ${requestedFolder} in ${location}, found no such folder: restore that folder, or remove ${file} to start with an empty database`,
  );
}

/**
 * Makes an account the owner of a folder, and returns true if the account can then write to the folder. Otherwise makes
 * root the owner, and returns false. The check writes a file, because parent folders, access lists and mounts affect
 * access, too.
 */
async function chownIfWritable(folder: string, user: Identity): Promise<boolean> {
  await chown(folder, user.uid, user.gid);
  const probe = 'cd "$0" && : > .reachable-$$ && rm .reachable-$$';
  const run = await runProgram('/bin/sh', ['-c', probe, folder], { timeoutMs: CHECK_TIMEOUT_MS, as: user });
  if (run.exitCode !== 0) await chown(folder, 0, 0);
  return run.exitCode === 0;
}

/** Creates a folder that the account of PostgreSQL can access, and records it in the requested directory. */
async function createReachableHome(requestedFolder: string, request: PlacementRequest): Promise<string> {
  const name = createHash('sha256').update(requestedFolder).digest('hex').slice(0, 32);
  const home = join(request.reachableFolder, name);
  await createPrivateFolder(home);
  await writeFile(join(requestedFolder, LOCATION_FILE), `${home}\n`);
  request.log(`PostgreSQL's account cannot access ${requestedFolder}: the database is in ${home}`);
  return home;
}

/** Returns programs that the account of PostgreSQL can run: the installed ones, or a copy of them. */
async function prepareRunnableBinaries(request: PlacementRequest, identity: Identity | undefined): Promise<Binaries> {
  try {
    await createMissingSymlinks(request.binaries.nativeFolder);
    await requireRunnablePrograms(request.binaries, identity);
    return request.binaries;
  } catch (error) {
    if (identity === undefined) throw error;
    const copy = await copyProgramsIfMissing(request, identity);
    await requireRunnablePrograms(copy, identity);
    return copy;
  }
}

async function requireRunnablePrograms(binaries: Binaries, identity: Identity | undefined): Promise<void> {
  for (const name of ['postgres', 'initdb'] as const) {
    const run = await runProgram(getProgramPath(binaries, name), ['--version'], {
      timeoutMs: CHECK_TIMEOUT_MS,
      as: identity,
    });
    if (run.exitCode === 0) continue;
    throw new Error(
      `the PostgreSQL program ${name} in ${binaries.nativeFolder} does not run on this machine: ${run.output}. Set DATABASE_URL to the address of a PostgreSQL server`,
    );
  }
}

async function copyProgramsIfMissing(
  { binaries, reachableFolder, log }: PlacementRequest,
  user: Identity,
): Promise<Binaries> {
  const folder = join(reachableFolder, `postgres-${binaries.version}`);
  if (!(await pathExists(folder))) {
    log(`PostgreSQL's account cannot run ${binaries.nativeFolder}: copying it to ${folder}`);
    await mkdir(reachableFolder, { recursive: true });
    await copyProgramsAtomically(binaries.nativeFolder, folder, user);
  }
  return { ...binaries, nativeFolder: join(folder, 'native') };
}

/**
 * Copies the programs to a temporary folder and renames that folder, so that a killed start leaves no incomplete copy.
 */
async function copyProgramsAtomically(nativeFolder: string, folder: string, user: Identity): Promise<void> {
  const temporary = await mkdtemp(`${folder}-`);
  await cp(nativeFolder, join(temporary, 'native'), { recursive: true, verbatimSymlinks: true });
  await createMissingSymlinks(join(temporary, 'native'));
  await chown(temporary, user.uid, user.gid);
  try {
    await rename(temporary, folder);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!(await pathExists(folder))) throw error;
  }
}

/**
 * Creates a folder that other accounts cannot access. The parent folders stay accessible, because the system user must
 * traverse them.
 */
async function createPrivateFolder(folder: string): Promise<void> {
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
}
