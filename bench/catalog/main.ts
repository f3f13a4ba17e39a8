import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { withFolder } from '../quarry/start-quarry.js';
import type { Synced } from './catalog.js';

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, items: { type: 'string', default: '100000' } },
});
const items = Number(values.items);
const CHANGED = 10;
const TARGET = 0.5;
/** The first is like a customer's, and what the target is for. */
const SHOPS = { 'the reference server': 'reference-shop.js', 'a server that costs nothing': 'bare-shop.js' };

const rows = [];
for (const [shop, file] of Object.entries(SHOPS)) {
  const row = { shop, ...(await withFolder((folder) => measure(file, join(folder, 'data')))) };
  rows.push(row);
  if (!values.json) show(row);
}
if (values.json) console.log(JSON.stringify({ items, target: TARGET, rows }, undefined, 2));
process.exitCode = (rows[0]?.speed ?? 0) >= TARGET ? 0 : 1;

type Row = (typeof rows)[number];

function show({ shop, full, again, changed, plain, speed }: Row): void {
  console.log(`${shop}: ${speed.toFixed(2)} of the plain loop's items a second (target ${TARGET})`);
  console.log(`  plain loop ${(plain.items / plain.seconds).toFixed(0).padStart(7)} items/s`);
  console.log(`  full sync  ${(items / full.seconds).toFixed(0).padStart(7)} items/s  ${full.addresses} requests`);
  const [ours, theirs] = [full, plain].map(({ cpuSeconds }) => ((cpuSeconds / items) * 1e6).toFixed(1));
  console.log(`  processor time for an item: ${ours} µs, the plain loop's ${theirs} µs`);
  console.log(`  heap while it ran, MB: ${full.heapOnTheWay.join(' ')}; the most held at once: ${full.mostMegabytes}`);
  for (const [what, { addresses, handedOver, seconds }] of Object.entries({
    'nothing changed': again,
    [`${CHANGED} changed`]: changed,
  })) {
    console.log(
      `  ${what}: ${addresses} requests, ${handedOver} documents to embed, ${(seconds * 1000).toFixed(0)} ms`,
    );
  }
}

async function measure(file: string, folder: string) {
  const [shop, address] = await start(file, [String(items)]);
  const [catalog] = await start('catalog.js', [address, folder], ['--expose-gc']);
  try {
    const full = await ask<Synced>(catalog, 'full');
    if (full.documents !== items) throw new Error(`expected ${items} documents, found ${full.documents}`);
    const again = await ask<Synced>(catalog, 'incremental');
    const plain = await loop(full.addresses);
    await ask(shop, CHANGED);
    const changed = await ask<Synced>(catalog, 'incremental');
    const speed = full.handedOver / full.seconds / (plain.items / plain.seconds);
    return { plain, full: brief(full), again: brief(again), changed: brief(changed), speed };
  } finally {
    for (const child of [shop, catalog]) child.kill();
  }
}

interface Looped {
  readonly items: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

function brief({ addresses, ...rest }: Synced) {
  return { ...rest, addresses: addresses.length };
}

async function loop(addresses: readonly string[]): Promise<Looped> {
  const child = fork(fileURLToPath(new URL('plain-loop.js', import.meta.url)));
  return ask(child, addresses);
}

/** @returns the process, and its first message */
async function start(
  file: string,
  given: readonly string[],
  nodeOptions: readonly string[] = [],
): Promise<readonly [ChildProcess, string]> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), given, { execArgv: [...nodeOptions] });
  const [first] = (await once(child, 'message')) as [string]; // each of them says so when it is ready
  return [child, first];
}

async function ask<T>(child: ChildProcess, message: string | number | readonly string[]): Promise<T> {
  const answer = once(child, 'message') as Promise<[T]>; // what the process of that file sends
  child.send(message);
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('a process of the measurement ended')));
  return (await Promise.race([answer, ended]))[0];
}
