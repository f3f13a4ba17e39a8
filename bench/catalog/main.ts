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

const report = await withFolder((folder) => measure(join(folder, 'data')));
if (values.json) console.log(JSON.stringify(report, undefined, 2));
else {
  const { full, again, changed, plain, speed } = report;
  console.log(`plain loop  ${(plain.items / plain.seconds).toFixed(0).padStart(7)} items/s`);
  console.log(`full sync   ${(items / full.seconds).toFixed(0).padStart(7)} items/s  ${full.addresses} requests`);
  console.log(`speed ${speed.toFixed(2)} (target ${TARGET})`);
  console.log(`heap while it ran, MB: ${full.heapOnTheWay.join(' ')}; the most held at once: ${full.mostMegabytes}`);
  for (const [what, { addresses, handedOver, seconds }] of Object.entries({
    'nothing changed': again,
    [`${CHANGED} changed`]: changed,
  })) {
    console.log(`${what}: ${addresses} requests, ${handedOver} documents to embed, ${(seconds * 1000).toFixed(0)} ms`);
  }
}
process.exitCode = report.speed >= TARGET ? 0 : 1;

async function measure(folder: string) {
  const [shop, address] = await start('shop.js', [String(items)]);
  const [catalog] = await start('catalog.js', [address, folder], ['--expose-gc']);
  try {
    const full = await ask<Synced>(catalog, 'full');
    if (full.documents !== items) throw new Error(`expected ${items} documents, found ${full.documents}`);
    const again = await ask<Synced>(catalog, 'incremental');
    await ask(shop, CHANGED);
    const changed = await ask<Synced>(catalog, 'incremental');
    const plain = await loop(full.addresses);
    const speed = full.handedOver / full.seconds / (plain.items / plain.seconds);
    return { items, plain, full: brief(full), again: brief(again), changed: brief(changed), speed, target: TARGET };
  } finally {
    for (const child of [shop, catalog]) child.kill();
  }
}

function brief({ addresses, ...rest }: Synced) {
  return { ...rest, addresses: addresses.length };
}

async function loop(addresses: readonly string[]): Promise<{ readonly items: number; readonly seconds: number }> {
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
