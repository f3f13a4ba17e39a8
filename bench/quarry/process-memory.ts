import { readFileSync } from 'node:fs';

/** What a process holds in memory, in MiB: all that is resident, and that of it which is no page of a file. Linux alone tells it. */
export function memoryOf(pid: number): { readonly resident: number; readonly anonymous: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mib = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? NaN) / 1024;
  return { resident: mib('VmRSS'), anonymous: mib('RssAnon') };
}
