import { readFileSync } from 'node:fs';

/** Returns the resident memory of a process in MiB: in total, its anonymous part, and its peak. Works on Linux only. */
export function readResidentMemory(pid: number): Readonly<Record<'resident' | 'anonymous' | 'peak', number>> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const readMebibytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? NaN) / 1024;
  return { resident: readMebibytes('VmRSS'), anonymous: readMebibytes('RssAnon'), peak: readMebibytes('VmHWM') };
}
