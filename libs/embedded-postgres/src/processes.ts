import { readdir, readlink } from 'node:fs/promises';
import { codeOf } from './error-code.js';

/** Whether a process of this id exists, whosever it is. A zombie exists. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Returns whether a process of this id works in a folder; whether it exists, where the system has no /proc. A zombie does not work. */
export async function worksIn(pid: number, folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return isAlive(pid);
  return (await cwdOf(String(pid))) === folder;
}

/**
 * The processes that work in a folder, as PostgreSQL's do in their cluster. Zombies are not among them.
 *
 * @returns undefined where the system has no /proc to ask
 */
export async function processesWorkingIn(folder: string): Promise<readonly number[] | undefined> {
  if (process.platform !== 'linux') return undefined;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map(async (pid) => ((await cwdOf(pid)) === folder ? [Number(pid)] : [])));
  return found.flat();
}

async function cwdOf(pid: string): Promise<string | undefined> {
  try {
    return await readlink(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
