import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { getProgramPath } from './binaries.js';
import { pathExists } from './path-exists.js';
import { CLUSTER_FOLDER, type ServerPlacement } from './placement.js';
import { isProcessAlive } from './processes.js';
import { runProgram } from './run-program.js';

export const SUPERUSER = 'quarry';

const INIT_TIMEOUT_MS = 180_000;
const TEMPORARY_PREFIX = 'unfinished-';
// Without an explicit locale, a cluster uses the locale of the environment. With LANG=C, its encoding would be
// SQL_ASCII.
const INIT_FLAGS = [
  '--encoding=UTF8',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--locale=C',
  '--auth=scram-sha-256',
  '--data-checksums',
  `--username=${SUPERUSER}`,
];

export function getClusterFolder(placement: ServerPlacement): string {
  return join(placement.home, CLUSTER_FOLDER);
}

/**
 * Creates the database cluster if it does not exist. Creates it in a temporary folder and renames the folder, so that a
 * cluster is never incomplete.
 *
 * @throws Error with the output of initdb
 */
export async function createClusterIfMissing(placement: ServerPlacement, passwordFile: string): Promise<void> {
  if (await pathExists(getClusterFolder(placement))) return;
  await removeAbandonedClusters(placement.home);
  const temporary = join(placement.home, `${TEMPORARY_PREFIX}${process.pid}-${randomBytes(4).toString('hex')}`);
  const run = await runProgram(
    getProgramPath(placement.binaries, 'initdb'),
    [...INIT_FLAGS, `--pwfile=${passwordFile}`, `--pgdata=${temporary}`],
    { timeoutMs: INIT_TIMEOUT_MS, as: placement.identity },
  );
  if (run.exitCode !== 0) {
    await rm(temporary, { recursive: true, force: true });
    throw new Error(`PostgreSQL could not create a database cluster in ${placement.home}: ${run.output}`);
  }
  await moveClusterIntoPlace(temporary, getClusterFolder(placement));
}

/**
 * Renames the temporary folder to `cluster`. If a concurrent start has created the cluster, removes the temporary
 * folder instead.
 */
async function moveClusterIntoPlace(temporary: string, cluster: string): Promise<void> {
  try {
    await rename(temporary, cluster);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!(await pathExists(cluster))) throw error;
  }
}

/** Removes the temporary folders of killed processes, but not those of running processes. */
async function removeAbandonedClusters(home: string): Promise<void> {
  const names = (await readdir(home)).filter((name) => name.startsWith(TEMPORARY_PREFIX));
  const abandoned = names.filter((name) => !isProcessAlive(Number(name.slice(TEMPORARY_PREFIX.length).split('-')[0])));
  await Promise.all(abandoned.map((name) => rm(join(home, name), { recursive: true, force: true })));
}
