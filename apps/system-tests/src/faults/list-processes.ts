import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export interface RunningProcess {
  readonly pid: number;
}

export interface ProcessEntry extends RunningProcess {
  readonly parent: number;
  readonly command: string;
}

/** Lists the processes of this machine whose entry in `/proc` this process may read. Source: proc_pid_stat(5). */
export async function listProcesses(): Promise<readonly ProcessEntry[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const entries = await Promise.all(pids.map((pid) => readProcessEntry(Number(pid)).catch(() => undefined)));
  return entries.filter((entry) => entry !== undefined);
}

/** Lists all descendants of a process, without the process itself. */
export async function listDescendantProcesses(pid: number): Promise<readonly ProcessEntry[]> {
  const all = await listProcesses();
  const getChildProcesses = (parent: number): readonly ProcessEntry[] =>
    all.filter((entry) => entry.parent === parent).flatMap((entry) => [entry, ...getChildProcesses(entry.pid)]);
  return getChildProcesses(pid);
}

/** Lists the processes that have the text `mark` in their environment variables. */
export async function listProcessesByEnvironment(mark: string): Promise<readonly ProcessEntry[]> {
  const all = await listProcesses();
  const marked = await Promise.all(
    all.map(async ({ pid }) => (await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '')).includes(mark)),
  );
  return all.filter((_, index) => marked[index]);
}

/** Lists the paths of all files below a folder. Ignores folders that are removed during the call. */
export async function listFilesOfFolder(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? listFilesOfFolder(path) : [path];
    }),
  );
  return files.flat();
}

/** Sends a signal to processes, and ignores processes that have exited. */
export function sendSignalToProcesses(name: NodeJS.Signals, processes: readonly RunningProcess[]): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

/** Suspends processes for some time, as a machine does while it swaps memory or is migrated to another host. */
export async function suspendProcesses(processes: readonly RunningProcess[], durationMs: number): Promise<void> {
  sendSignalToProcesses('SIGSTOP', processes);
  await pause(durationMs);
  sendSignalToProcesses('SIGCONT', processes);
}

async function readProcessEntry(pid: number): Promise<ProcessEntry> {
  const [stat, command] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/cmdline`, 'utf8'),
  ]);
  const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  return { pid, parent, command: command.replaceAll('\0', ' ').trim() };
}
