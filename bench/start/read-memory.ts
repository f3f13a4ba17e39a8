import { readFile } from 'node:fs/promises';
import { listDescendantProcesses } from '@quarry/system-tests';

/** The memory of several processes, in MB (10⁶ bytes). */
export interface ProcessesMemory {
  readonly processes: number;
  /** Proportional set size: each process counts its share of the pages that it shares with others. */
  readonly proportionalMb: number;
  /** Resident set size. It counts shared pages once per process. */
  readonly residentMb: number;
}

/** Returns the memory of processes. Exited processes count as 0. Source: proc_pid_smaps(5). */
export async function readProcessMemory(pids: readonly number[]): Promise<ProcessesMemory> {
  const files = await Promise.all(
    pids.map(async (pid) => readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => undefined)),
  );
  const found = files.filter((file) => file !== undefined);
  return {
    processes: found.length,
    proportionalMb: sumMegabytes(found, 'Pss'),
    residentMb: sumMegabytes(found, 'Rss'),
  };
}

/** Returns the ids of a process and its descendants. */
export async function listProcessTree(pid: number): Promise<readonly number[]> {
  return [pid, ...(await listDescendantProcesses(pid)).map((entry) => entry.pid)];
}

/** Sums one value of several `smaps_rollup` files, in MB. @param name such as `Pss` */
function sumMegabytes(files: readonly string[], name: string): number {
  const kibibytes = files.map((file) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(file)?.[1]));
  return (kibibytes.reduce((sum, size) => sum + size, 0) * 1024) / 1e6;
}
