import { readFile } from 'node:fs/promises';

/** Clock ticks per second in /proc. The number is the same on every architecture of Linux (`getconf CLK_TCK`). */
const TICKS = 100;

/** Returns the CPU seconds of all threads of a process; NaN on other systems than Linux. */
export async function readCpuSeconds(pid: number): Promise<number> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the process may contain spaces and parentheses. After it follow state (field 3 of proc(5)), utime (14)
  // and stime (15).
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}
