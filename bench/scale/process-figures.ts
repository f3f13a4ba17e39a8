import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const TICKS_PER_SECOND = 100;
const WINDOW_MS = 1_000;
const QUIET_WINDOWS = 4;
const QUIET_SHARE = 0.05;

/** What a process holds in memory, in MiB: all that is resident, and that of it which is no page of a file. */
export function memoryOf(pid: number): { readonly resident: number; readonly anonymous: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mib = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? NaN) / 1024;
  return { resident: mib('VmRSS'), anonymous: mib('RssAnon') };
}

/** Waits until a process has nothing to do any more: indexes are built in the background. */
export async function untilQuiet(pid: number): Promise<void> {
  for (let quiet = 0; quiet < QUIET_WINDOWS;) {
    const before = secondsOf(pid);
    await wait(WINDOW_MS);
    quiet = secondsOf(pid) - before < QUIET_SHARE ? quiet + 1 : 0;
  }
}

/** Of processor time. */
function secondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
