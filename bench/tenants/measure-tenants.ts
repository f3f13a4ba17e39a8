// measure-tenants.js STORE FOLDER TENANTS FRAGMENTS: fills a store with the fragments of many organizations, opens it
// again, and prints its measurements as JSON.
import { readdirSync } from 'node:fs';
import type { Collection, FragmentStore } from '@quarry/fragment-store';
import { computePercentile } from '../quarry/percentile.js';
import { readResidentMemory } from '../quarry/process-memory.js';
import { createSampleFragment, createSampleWords } from '../scale/sample-fragments.js';
import { openTenantStore, isTenantStoreName } from './open-tenant-store.js';

/**
 * Measurements of a fragment store that contains the fragments of many organizations. Times are in milliseconds, memory
 * in MiB.
 */
export interface TenantFigures {
  readonly tenants: number;
  readonly fragmentsEach: number;
  readonly writeP50: number;
  readonly writeP99: number;
  readonly memoryAfterWrites: number;
  readonly openFilesAfterWrites: number;
  /** Time to open the filled store again. */
  readonly openMs: number;
  readonly memoryWhenOpened: number;
  /** Median time of the first search of each organization. */
  readonly firstSearchP50: number;
  readonly firstSearchP99: number;
  /** Median time of the second search of each organization, after the first searches of all organizations. */
  readonly nextSearchP50: number;
  readonly nextSearchP99: number;
  readonly memoryAfterSearches: number;
  readonly openFilesAfterSearches: number;
  /** Memory of the store's server process after all searches; 0 if the store has no server. */
  readonly serverMemory: number;
}

const COLLECTION: Collection = { embedding: null };
const WRITERS = 4;
const LIMIT = 50;

const [name = '', folder = '', tenants = '', fragments = ''] = process.argv.slice(2);
if (!isTenantStoreName(name)) throw new Error(`expected the name of a store, lancedb or qdrant, found ${name}`);
const numbers = Array.from({ length: Number(tenants) }, (_, number) => number);
const stores = await openTenantStore(name, folder);

const writing = await stores.open();
const writes = await measureTaskOfEachOrganization(WRITERS, (number) => writeTenantDocument(writing, number));
const afterWrites = { memory: readResidentMemory(process.pid).anonymous, openFiles: countOpenFiles() };
await writing.close();

const begun = performance.now();
const store = await stores.open();
const openMs = performance.now() - begun;
const memoryWhenOpened = readResidentMemory(process.pid).anonymous;
const first = await measureTaskOfEachOrganization(1, (number) => searchTenantDocuments(store, number));
const next = await measureTaskOfEachOrganization(1, (number) => searchTenantDocuments(store, number));
const figures: TenantFigures = {
  tenants: numbers.length,
  fragmentsEach: Number(fragments),
  writeP50: computePercentile(writes, 50),
  writeP99: computePercentile(writes, 99),
  memoryAfterWrites: afterWrites.memory,
  openFilesAfterWrites: afterWrites.openFiles,
  openMs,
  memoryWhenOpened,
  firstSearchP50: computePercentile(first, 50),
  firstSearchP99: computePercentile(first, 99),
  nextSearchP50: computePercentile(next, 50),
  nextSearchP99: computePercentile(next, 99),
  memoryAfterSearches: readResidentMemory(process.pid).anonymous,
  openFilesAfterSearches: countOpenFiles(),
  serverMemory: stores.serverPid === undefined ? 0 : readResidentMemory(stores.serverPid).anonymous,
};
await store.close();
await stores.stop();
console.log(JSON.stringify(figures));

function writeTenantDocument(into: FragmentStore, number: number): Promise<void> {
  return into.replaceDocument(COLLECTION, {
    organizationId: `organization ${number}`,
    datastoreId: `datastore ${number}`,
    datasourceId: `datasource ${number}`,
    documentKey: 'document',
    generation: 1,
    contentHash: String(number),
    customId: null,
    source: null,
    fragments: Array.from({ length: Number(fragments) }, (_, at) => ({
      ...createSampleFragment(number * Number(fragments) + at),
      vector: null,
    })),
  });
}

async function searchTenantDocuments(from: FragmentStore, number: number): Promise<void> {
  const scope = { organizationId: `organization ${number}`, datastoreIds: [`datastore ${number}`] };
  const found = await from.searchLexical(
    COLLECTION,
    scope,
    { text: `word1 word2 ${createSampleWords(number, 4)}` },
    LIMIT,
  );
  if (found.length === 0)
    throw new Error(`expected the search to find fragments of organization ${number}, found none`);
}

/** Runs a task for each organization, `workers` at a time. Returns the duration of each task in milliseconds. */
async function measureTaskOfEachOrganization(
  workers: number,
  task: (number: number) => Promise<void>,
): Promise<readonly number[]> {
  const waiting = numbers.values();
  const times: number[] = [];
  const work = async (): Promise<void> => {
    for (const number of waiting) {
      const started = performance.now();
      await task(number);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  return times;
}

/** Counts the open files of this process. Works on Linux only. */
function countOpenFiles(): number {
  return readdirSync('/proc/self/fd').length;
}
