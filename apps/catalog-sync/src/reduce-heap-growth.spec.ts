import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const MODULE = new URL('./reduce-heap-growth.ts', import.meta.url).href;
const PAGES = 800;
const PAGES_IN_USE = 20;
const MAX_MEBIBYTES = 60;

/**
 * Source text of a program that parses pages as a sync does, and prints its peak heap size in MiB. The program keeps
 * each page until V8 has moved it to the old generation, and then discards it.
 */
const PROGRAM = `
  import { reduceHeapGrowth } from ${JSON.stringify(MODULE)};
  reduceHeapGrowth();
  const page = JSON.stringify(Array.from({ length: 1000 }, (_, id) => ({ id, title: 'item ' + id, tags: ['a', 'b', 'c'] })));
  const used = [];
  let peak = 0;
  for (let at = 0; at < ${PAGES}; at += 1) {
    used[at % ${PAGES_IN_USE}] = JSON.parse(page);
    await new Promise(setImmediate);
    peak = Math.max(peak, process.memoryUsage().heapTotal);
  }
  console.log(peak / 2 ** 20);
`;

describe('reduceHeapGrowth', () => {
  it('reduceHeapGrowth keeps the heap small in a process that reads many pages', { timeout: 60_000 }, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM]);
    expect(Number(stdout)).toBeLessThan(MAX_MEBIBYTES);
  });
});
