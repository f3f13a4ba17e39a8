import { setTimeout as wait } from 'node:timers/promises';
import { readResidentMemory } from '../quarry/process-memory.js';

const EVERY_MS = 20;

/** Resident memory of a process in MiB: before an operation, and its maximum during the operation. */
export interface Growth {
  readonly before: number;
  readonly peak: number;
}

export async function measurePeakMemory(pid: number, work: () => Promise<unknown>): Promise<Growth> {
  const before = readResidentMemory(pid).resident;
  let peak = before;
  const done = new AbortController();
  const watching = watchMemory();
  try {
    await work();
  } finally {
    done.abort();
    await watching;
  }
  return { before, peak };

  async function watchMemory(): Promise<void> {
    while (!done.signal.aborted) {
      peak = Math.max(peak, readResidentMemory(pid).resident);
      await wait(EVERY_MS);
    }
  }
}
