import { fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseNumber, parseNumbers } from '../quarry/parse-option.js';
import { runWithTemporaryFolder } from '../quarry/start-quarry.js';
import type { SyncOutcome } from './catalog.js';
import { sendRequestToChild, startChildProgram } from './child-programs.js';
import { measureUnchangedSyncs, type UnchangedFigures } from './measure-unchanged-syncs.js';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    items: { type: 'string', default: '100000' },
    unchanged: { type: 'string', default: '100000' },
  },
});
const items = parseNumber('items', values.items);
const unchangedCounts = parseNumbers('unchanged', values.unchanged);
const CHANGED = 10;
const TARGET = 0.5;
/** Target: maximum resident memory of a process that syncs an unchanged listing, in MB. */
const MAX_MEGABYTES = 200;
/** Target: maximum time for which a sync of an unchanged listing blocks the event loop, in milliseconds. */
const MAX_WORK_MS = 100;
/**
 * Listing servers from which the measured syncs read, each with its program. `TARGET` applies to the first one, which
 * works as a customer's server does.
 */
const SHOPS = { 'the reference server': 'reference-shop.js', 'a server with prepared pages': 'bare-shop.js' };

const rows = [];
for (const [shop, file] of items === 0 ? [] : Object.entries(SHOPS)) {
  const row = { shop, ...(await runWithTemporaryFolder((folder) => measureCatalogSyncs(file, join(folder, 'data')))) };
  rows.push(row);
  if (!values.json) printCatalogRow(row);
}
const unchanged: UnchangedFigures[] = [];
for (const count of unchangedCounts) {
  const measured = await measureUnchangedSyncs(count);
  unchanged.push(...measured);
  if (!values.json) for (const row of measured) printUnchangedFigures(row);
}
if (values.json) console.log(JSON.stringify({ items, target: TARGET, rows, unchanged }, undefined, 2));
const isFast = rows[0] === undefined || rows[0].speed >= TARGET;
process.exitCode = isFast && unchanged.every(meetsTargetsOfUnchangedSync) ? 0 : 1;

type Row = (typeof rows)[number];

function meetsTargetsOfUnchangedSync({
  mode,
  requests,
  toEmbed,
  maxMegabytes,
  longestWorkMs,
}: UnchangedFigures): boolean {
  const isSmall = maxMegabytes <= MAX_MEGABYTES && (mode === 'full' || requests === 1);
  return isSmall && toEmbed === 0 && longestWorkMs <= MAX_WORK_MS;
}

function printUnchangedFigures({ items: count, mode, seconds, requests, toEmbed, ...more }: UnchangedFigures): void {
  const { startMegabytes, maxMegabytes, longestPauseMs, longestWorkMs } = more;
  console.log(`${count.toLocaleString('en')} items, a sync without a change (${mode}):`);
  console.log(`  ${requests} requests, ${toEmbed} documents to embed, ${seconds.toFixed(1)} s`);
  console.log(`  memory ${startMegabytes} MB before, at most ${maxMegabytes} MB (target ${MAX_MEGABYTES})`);
  console.log(
    `  event loop busy for at most ${longestWorkMs} ms (target ${MAX_WORK_MS}), delayed by at most ${longestPauseMs} ms`,
  );
}

function printCatalogRow({ shop, full, again, changed, plain, speed }: Row): void {
  console.log(`${shop}: ${speed.toFixed(2)} of the plain loop's items per second (target ${TARGET})`);
  console.log(`  plain loop ${(plain.items / plain.seconds).toFixed(0).padStart(7)} items/s`);
  console.log(`  full sync  ${(items / full.seconds).toFixed(0).padStart(7)} items/s  ${full.addresses} requests`);
  const [sync, loop] = [full, plain].map(({ cpuSeconds }) => ((cpuSeconds / items) * 1e6).toFixed(1));
  console.log(`  CPU time per item: full sync ${sync} µs, plain loop ${loop} µs`);
  console.log(`  heap samples, MB: ${full.heapSamples.join(' ')}; maximum memory: ${full.maxMegabytes}`);
  for (const [what, { addresses, toEmbed, seconds }] of Object.entries({
    'no change': again,
    [`${CHANGED} changed`]: changed,
  })) {
    console.log(`  ${what}: ${addresses} requests, ${toEmbed} documents to embed, ${(seconds * 1000).toFixed(0)} ms`);
  }
}

async function measureCatalogSyncs(file: string, folder: string) {
  const [shop, address] = await startChildProgram(file, [String(items)]);
  const [catalog] = await startChildProgram('catalog.js', [address, folder], ['--expose-gc']);
  try {
    const full = await sendRequestToChild<SyncOutcome>(catalog, { mode: 'full' });
    if (full.documents !== items)
      throw new Error(`expected the full sync to discover ${items} documents, found ${full.documents}`);
    const again = await sendRequestToChild<SyncOutcome>(catalog, { mode: 'incremental' });
    const plain = await runPlainLoop(full.addresses);
    await sendRequestToChild(shop, CHANGED);
    const changed = await sendRequestToChild<SyncOutcome>(catalog, { mode: 'incremental' });
    const speed = full.toEmbed / full.seconds / (plain.items / plain.seconds);
    return {
      plain,
      full: replaceAddressesByCount(full),
      again: replaceAddressesByCount(again),
      changed: replaceAddressesByCount(changed),
      speed,
    };
  } finally {
    for (const child of [shop, catalog]) child.kill();
  }
}

interface LoopOutcome {
  readonly items: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

function replaceAddressesByCount({ addresses, ...rest }: SyncOutcome) {
  return { ...rest, addresses: addresses.length };
}

async function runPlainLoop(addresses: readonly string[]): Promise<LoopOutcome> {
  const child = fork(fileURLToPath(new URL('plain-loop.js', import.meta.url)));
  return sendRequestToChild(child, addresses);
}
