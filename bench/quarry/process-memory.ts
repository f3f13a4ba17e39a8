import { readFileSync } from 'node:fs';

/** Returns the resident memory of a process in MiB, in total and without file pages. It works on Linux only. */
export function readMemory(pid: number): { readonly resident: number; readonly anonymous: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const readMebibytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? NaN) / 1024;
  return { resident: readMebibytes('VmRSS'), anonymous: readMebibytes('RssAnon') };
}
