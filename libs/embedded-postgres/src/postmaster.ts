import { randomBytes } from 'node:crypto';
import { link, readFile, realpath, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './error-code.js';
import { processesWorkingIn, worksIn } from './processes.js';

/** What a cluster's `postmaster.pid` says. */
export type Postmaster =
  /** There is none. */
  | { readonly state: 'absent' }
  /** It is not of a server that runs: PostgreSQL must not be held up by it, and `removable` says it may go. */
  | { readonly state: 'stale'; readonly removable: boolean; readonly content: string }
  | { readonly state: 'running'; readonly pid: number; readonly port: number | undefined };

export function pidFileOf(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

/**
 * Reads what is there about a cluster's server. The process id alone proves nothing: after a crash it may be another
 * program's, which PostgreSQL takes for its own server, and refuses to start.
 */
export async function readPostmaster(cluster: string): Promise<Postmaster> {
  const content = await readIfThere(pidFileOf(cluster));
  if (content === undefined) return { state: 'absent' };
  const lines = content.split('\n');
  const pid = Number(lines[0]);
  const folder = await realpath(cluster);
  if (await worksIn(pid, folder)) return { state: 'running', pid, port: Number(lines[3]) || undefined };
  // Left-over backends write to the cluster still, and the file is what keeps a second server off until they are gone.
  return { state: 'stale', removable: (await processesWorkingIn(folder))?.length === 0, content };
}

/** Returns the port that the cluster's server was last started with; undefined before its first start. */
export async function readLastPort(cluster: string): Promise<number | undefined> {
  const command = (await readIfThere(join(cluster, 'postmaster.opts'))) ?? '';
  return Number(/"-p" "(\d+)"/.exec(command)?.[1]) || undefined;
}

/**
 * Removes a process id file if it still has the content of a stale one. Another process may have started the server in the
 * meantime, whose file is put back.
 */
export async function removeStalePidFile(cluster: string, content: string): Promise<void> {
  const file = pidFileOf(cluster);
  const aside = `${file}-${randomBytes(6).toString('hex')}`;
  await rename(file, aside).catch(ignoreMissing);
  const removed = await readIfThere(aside);
  if (removed !== undefined && removed !== content) await link(aside, file);
  await rm(aside, { force: true });
}

async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(ignoreMissing);
}

function ignoreMissing(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error;
}
