import { setTimeout as wait } from 'node:timers/promises';
import { cpuSeconds } from '../quarry/cpu-seconds.js';

const WINDOW_MS = 1_000;
const QUIET_WINDOWS = 4;
const QUIET_SHARE = 0.05;

/** Waits until a process has nothing to do any more: indexes are built in the background. */
export async function untilQuiet(pid: number): Promise<void> {
  for (let quiet = 0; quiet < QUIET_WINDOWS;) {
    const before = await cpuSeconds(pid);
    await wait(WINDOW_MS);
    quiet = (await cpuSeconds(pid)) - before < QUIET_SHARE ? quiet + 1 : 0;
  }
}
