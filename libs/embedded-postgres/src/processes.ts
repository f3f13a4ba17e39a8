import { readdir, readFile, readlink } from 'node:fs/promises';
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
 *
 * Root needs the capability SYS_PTRACE to read the working directory of another user's process, and containers lack it
 * by default. Without this capability, returns true if the command line of the process contains the folder, as that of
 * PostgreSQL does.
 */
export async function isProcessWorkingIn(pid: number, folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return isProcessAlive(pid);
  const directory = await readWorkingDirectory(String(pid));
  if (directory !== UNREADABLE) return directory === folder;
  return (await readCommandLine(String(pid))).includes(folder);
}

/**
 * Returns the ids of the processes whose working directory is a folder, such as those of PostgreSQL in their cluster.
 * Zombies are not included.
 *
 * @returns undefined if the system has no /proc, or if this process is root without the capability to read the working
 * directory of another user's PostgreSQL
 */
export async function listProcessesWorkingIn(folder: string): Promise<readonly number[] | undefined> {
  if (process.platform !== 'linux') return undefined;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const directories = await Promise.all(pids.map(async (pid) => ({ pid, directory: await readWorkingDirectory(pid) })));
  // Without root, PostgreSQL runs under the account of this process, so the working directory of PostgreSQL is
  // readable.
  if (process.getuid?.() === 0) {
    const unreadable = directories.filter(({ directory }) => directory === UNREADABLE);
    const commands = await Promise.all(unreadable.map(({ pid }) => readCommandLine(pid)));
    if (commands.some((command) => command.includes('postgres'))) return undefined;
  }
  return directories.filter(({ directory }) => directory === folder).map(({ pid }) => Number(pid));
}

/**
 * Stands for a working directory that this process may not read. It is not an absolute path, so it equals no folder.
 */
const UNREADABLE = 'unreadable';

/**
 * Returns the working directory of a process, or `UNREADABLE`. Returns undefined if the process does not exist or is a
 * zombie.
 */
async function readWorkingDirectory(pid: string): Promise<string | undefined> {
  try {
    return await readlink(`/proc/${pid}/cwd`);
  } catch (error) {
    const code = getErrorCode(error);
    return code === 'EACCES' || code === 'EPERM' ? UNREADABLE : undefined;
  }
}

/**
 * Returns the program and the arguments of a process, separated by null characters. Returns an empty string if the
 * process does not exist.
 */
async function readCommandLine(pid: string): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}
