import { readdir, readlink } from 'node:fs/promises';
import { getErrorCode } from './error-code.js';

/** Returns true if a process with this id exists, including zombies and processes of other users. */
export function isProcessAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return getErrorCode(error) === 'EPERM';
  }
}

/**
 * Returns true if a folder is the working directory of a process. Returns false for zombies, which have no working
 * directory. On a system without /proc, returns true if the process exists.
 */
export async function isProcessWorkingIn(pid: number, folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return isProcessAlive(pid);
  return (await readWorkingDirectory(String(pid))) === folder;
}

/**
 * Returns the ids of the processes whose working directory is a folder, such as those of PostgreSQL in their cluster.
 * Zombies are not included.
 *
 * @returns undefined if the system has no /proc
 */
export async function listProcessesWorkingIn(folder: string): Promise<readonly number[] | undefined> {
  if (process.platform !== 'linux') return undefined;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => ((await readWorkingDirectory(pid)) === folder ? [Number(pid)] : [])),
  );
  return found.flat();
}

async function readWorkingDirectory(pid: string): Promise<string | undefined> {
  try {
    return await readlink(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
