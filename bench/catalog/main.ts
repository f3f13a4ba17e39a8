import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { withFolder } from '../quarry/start-quarry.js';
import type { SyncOutcome } from './catalog.js';

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, items: { type: 'string', default: '100000' } },
});
const items = Number(values.items);
const CHANGED = 10;
const TARGET = 0.5;
/** Lists the shops under test. The target applies to the first, which works like a customer's server. */
const SHOPS = { 'the reference server': 'reference-shop.js', 'a server with prepared pages': 'bare-shop.js' };

const rows = [];
for (const [shop, file] of Object.entries(SHOPS)) {
  const row = { shop, ...(await withFolder((folder) => measureCatalog(file, join(folder, 'data')))) };
  rows.push(row);
  if (!values.json) printRow(row);
}
if (values.json) console.log(JSON.stringify({ items, target: TARGET, rows }, undefined, 2));
process.exitCode = (rows[0]?.speed ?? 0) >= TARGET ? 0 : 1;

type Row = (typeof rows)[number];

function printRow({ shop, full, again, changed, plain, speed }: Row): void {
  console.log(`${shop}: ${speed.toFixed(2)} of the plain loop's items per second (target ${TARGET})`);
  console.log(`  plain loop ${(plain.items / plain.seconds).toFixed(0).padStart(7)} items/s`);
  console.log(`  full sync  ${(items / full.seconds).toFixed(0).padStart(7)} items/s  ${full.addresses} requests`);
  const [ours, theirs] = [full, plain].map(({ cpuSeconds }) => ((cpuSeconds / items) * 1e6).toFixed(1));
  console.log(`  CPU time per item: ${ours} µs, plain loop ${theirs} µs`);
  console.log(`  heap samples, MB: ${full.heapSamples.join(' ')}; maximum memory: ${full.maxMegabytes}`);
  for (const [what, { addresses, toEmbed, seconds }] of Object.entries({
    'no change': again,
    [`${CHANGED} changed`]: changed,
  })) {
    console.log(`  ${what}: ${addresses} requests, ${toEmbed} documents to embed, ${(seconds * 1000).toFixed(0)} ms`);
  }
}

async function measureCatalog(file: string, folder: string) {
  const [shop, address] = await startProgram(file, [String(items)]);
  const [catalog] = await startProgram('catalog.js', [address, folder], ['--expose-gc']);
  try {
    const full = await requestFrom<SyncOutcome>(catalog, 'full');
    if (full.documents !== items) throw new Error(`expected ${items} documents, found ${full.documents}`);
    const again = await requestFrom<SyncOutcome>(catalog, 'incremental');
    const plain = await runPlainLoop(full.addresses);
    await requestFrom(shop, CHANGED);
    const changed = await requestFrom<SyncOutcome>(catalog, 'incremental');
    const speed = full.toEmbed / full.seconds / (plain.items / plain.seconds);
    return {
      plain,
      full: omitAddresses(full),
      again: omitAddresses(again),
      changed: omitAddresses(changed),
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

function omitAddresses({ addresses, ...rest }: SyncOutcome) {
  return { ...rest, addresses: addresses.length };
}

async function runPlainLoop(addresses: readonly string[]): Promise<LoopOutcome> {
  const child = fork(fileURLToPath(new URL('plain-loop.js', import.meta.url)));
  return requestFrom(child, addresses);
}

/** Starts a program. @returns its process, and its first message */
async function startProgram(
  file: string,
  given: readonly string[],
  nodeOptions: readonly string[] = [],
): Promise<readonly [ChildProcess, string]> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), given, { execArgv: [...nodeOptions] });
  const [first] = (await once(child, 'message')) as [string]; // each program sends a message when it is ready
  return [child, first];
}

async function requestFrom<T>(child: ChildProcess, message: string | number | readonly string[]): Promise<T> {
  const answer = once(child, 'message') as Promise<[T]>; // the program sends this form
  child.send(message);
  const ended = once(child, 'exit').then(() =>
    Promise.reject(new Error('expected an answer of a child process, found that it exited')),
  );
  return (await Promise.race([answer, ended]))[0];
}
