import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';

const run = promisify(execFile);
const EVERY_MS = 20;

/** @returns what a process holds in memory now, in MiB */
async function residentMemory(pid: number): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout) / 1024;
}

/** What a process held in memory before and, at most, during something; in MiB. */
export interface Growth {
  readonly before: number;
  readonly peak: number;
}

export async function memoryDuring(pid: number, work: () => Promise<unknown>): Promise<Growth> {
  const before = await residentMemory(pid);
  let peak = before;
  const done = new AbortController();
  const watching = watch();
  try {
    await work();
  } finally {
    done.abort();
    await watching;
  }
  return { before, peak };

  async function watch(): Promise<void> {
    while (!done.signal.aborted) {
      peak = Math.max(peak, await residentMemory(pid));
      await wait(EVERY_MS);
    }
  }
}
