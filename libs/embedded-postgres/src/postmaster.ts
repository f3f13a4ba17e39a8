import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './error-code.js';
import { isAlive, processesWorkingIn } from './processes.js';

/** What a cluster's `postmaster.pid` says. */
export type Postmaster =
  /** There is none. */
  | { readonly state: 'absent' }
  /** It is not of a server that runs: PostgreSQL must not be held up by it, and `removable` says it may go. */
  | { readonly state: 'stale'; readonly removable: boolean }
  | { readonly state: 'running'; readonly pid: number; readonly port: number | undefined };

export function pidFileOf(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

/**
 * Reads what is there about a cluster's server. The process id alone proves nothing: after a crash it may be another
 * program's, which PostgreSQL takes for its own server, and refuses to start.
 */
export async function readPostmaster(cluster: string): Promise<Postmaster> {
  const lines = await linesOf(pidFileOf(cluster));
  if (lines === undefined) return { state: 'absent' };
  const pid = Number(lines[0]);
  const inside = await processesWorkingIn(await realpath(cluster));
  const runs = inside === undefined ? isAlive(pid) : inside.includes(pid);
  if (runs) return { state: 'running', pid, port: Number(lines[3]) || undefined };
  // Left-over backends write to the cluster still, and the file is what keeps a second server off until they are gone.
  return { state: 'stale', removable: inside?.length === 0 };
}

async function linesOf(path: string): Promise<readonly string[] | undefined> {
  try {
    return (await readFile(path, 'utf8')).split('\n');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
