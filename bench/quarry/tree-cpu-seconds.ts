import { readFile } from 'node:fs/promises';
import { listDescendantProcesses } from '@quarry/system-tests';

/** Clock ticks per second in /proc. The number is the same on every architecture of Linux (`getconf CLK_TCK`). */
const TICKS = 100;

/**
 * Returns the CPU seconds of processes and their descendants, including exited descendants. Each process counts once.
 */
export async function readTreeCpuSeconds(roots: readonly number[]): Promise<number> {
  const trees = await Promise.all(
    roots.map(async (pid) => [pid, ...(await listDescendantProcesses(pid)).map((one) => one.pid)]),
  );
  const times = await Promise.all([...new Set(trees.flat())].map(readProcessCpuSeconds));
  return times.reduce((sum, seconds) => sum + seconds, 0);
}

/** Returns the CPU seconds of a process and of its exited children; 0 if the process itself has exited. */
async function readProcessCpuSeconds(pid: number): Promise<number> {
  const fields = await readProcStatFields(pid);
  // The fields of proc(5) are state (3), utime (14), stime (15), cutime (16) and cstime (17).
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS;
}

/** Returns the id of the parent of a process. */
export async function readParentPid(pid: number): Promise<number> {
  return Number((await readProcStatFields(pid))[1]);
}

/** Returns the fields of `/proc/<pid>/stat` after the name of the process, which may contain spaces and parentheses. */
async function readProcStatFields(pid: number): Promise<readonly string[]> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return line.slice(line.lastIndexOf(')') + 2).split(' ');
}
