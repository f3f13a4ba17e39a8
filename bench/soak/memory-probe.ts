import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeHeapSnapshot } from 'node:v8';

/**
 * Module for `node --import memory-probe.js`. Writes the memory of the process by kind to `memory.json` in the folder
 * `BENCH_PROBE_FOLDER`, once per second. On the signal SIGUSR2, writes a heap snapshot to the same folder.
 */

const INTERVAL_MS = 1_000;
const folder = process.env['BENCH_PROBE_FOLDER'] ?? '.';

setInterval(() => {
  const file = join(folder, 'memory.json');
  writeFileSync(`${file}.new`, JSON.stringify(process.memoryUsage()));
  renameSync(`${file}.new`, file);
}, INTERVAL_MS).unref();

process.on('SIGUSR2', () => {
  writeHeapSnapshot(join(folder, `${new Date().toISOString().replaceAll(':', '-')}.heapsnapshot`));
});
