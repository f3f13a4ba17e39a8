import { readFile } from 'node:fs/promises';

/** Linux counts in hundredths of a second, on every architecture: `getconf CLK_TCK`. */
const TICKS = 100;

/** What a process has used of the processors, its threads included. NaN where the system does not tell. */
export async function cpuSeconds(pid: number): Promise<number> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // Behind the name, which may hold spaces and brackets: state is field 3 of proc(5), utime 14, stime 15.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}
