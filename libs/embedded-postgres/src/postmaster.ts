import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { listProcessesWorkingIn, isProcessWorkingIn } from './processes.js';
import { readFileIfExists } from './stale-files.js';

/** Describes the state of a cluster's server according to the process id file `postmaster.pid`. */
export type Postmaster =
  /** The file `postmaster.pid` does not exist. */
  | { readonly state: 'absent' }
  /**
   * The file `postmaster.pid` belongs to no running server, but would block a start. It is `removable` if no orphaned
   * backend uses the cluster.
   */
  | { readonly state: 'stale'; readonly removable: boolean; readonly content: string }
  | { readonly state: 'running'; readonly pid: number; readonly port: number | undefined };

export function getPidFile(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

/**
 * Reads the state of a cluster's server. Checks the working directory of the process too, because another program may
 * have the same process id after a crash. PostgreSQL itself checks only the process id, and would not start because of
 * the other program.
 */
export async function readPostmasterState(cluster: string): Promise<Postmaster> {
  const content = await readFileIfExists(getPidFile(cluster));
  if (content === undefined) return { state: 'absent' };
  const lines = content.split('\n');
  const pid = Number(lines[0]);
  const folder = await realpath(cluster);
  if (await isProcessWorkingIn(pid, folder)) return { state: 'running', pid, port: Number(lines[3]) || undefined };
  // Orphaned backends may still write to the cluster. The file prevents the start of a second server until these
  // backends have ended.
  return { state: 'stale', removable: (await listProcessesWorkingIn(folder))?.length === 0, content };
}

/** Returns the port of the last start of the cluster's server, or undefined if the server was never started. */
export async function readLastPort(cluster: string): Promise<number | undefined> {
  const command = (await readFileIfExists(join(cluster, 'postmaster.opts'))) ?? '';
  return Number(/"-p" "(\d+)"/.exec(command)?.[1]) || undefined;
}
