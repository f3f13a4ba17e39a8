// measure-store.js STORE FOLDER SIZE…: fills a store to each size in turn, measures its searches, and prints one line
// of JSON per size.
import { setTimeout as wait } from 'node:timers/promises';
import type { Collection, FragmentScope, FragmentStore, ScoredFragment } from '@quarry/fragment-store';
import { readCpuSeconds } from '../quarry/cpu-seconds.js';
import { computePercentile } from '../quarry/percentile.js';
import { readResidentMemory } from '../quarry/process-memory.js';
import { DIMENSIONS, createSampleFragment, createSampleVector, createSampleWords } from './sample-fragments.js';
import { openStoreUnderTest, STORES } from './store-under-test.js';

const WINDOW_MS = 1_000;
const IDLE_WINDOWS = 4;
const IDLE_SHARE = 0.05;

/** Measurements of a store at one size. Times are in milliseconds, memory in MiB. */
export interface StoreFigures {
  readonly store: string;
  readonly fragments: number;
  readonly writtenPerSecond: number;
  readonly denseP50: number;
  readonly denseP95: number;
  readonly lexicalP50: number;
  readonly lexicalP95: number;
  /** Share of the 50 vectors nearest to a query vector that a dense search finds. */
  readonly denseRecall: number;
  readonly residentMib: number;
  readonly anonymousMib: number;
}

const COLLECTION: Collection = { embedding: { model: 'sample', dimensions: DIMENSIONS, distance: 'cosine' } };
const OWNER = { organizationId: 'organization', datastoreId: 'datastore', datasourceId: 'datasource' };
const SCOPE: FragmentScope = { organizationId: 'organization', datastoreIds: ['datastore'] };
const FRAGMENTS_EACH = 500;
const WRITERS = 4;
const QUERIES = 200;
/**
 * Number of searches before the measured searches. They fill the caches, and use other query vectors than the measured
 * searches.
 */
const WARMING_QUERIES = 400;
/** Number of dense searches whose results are compared with the vectors that are nearest to the query vector. */
const RECALL_QUERIES = 20;
const LIMIT = 50;
/**
 * First seed of the query vectors. It is above the seeds of all fragments, so that no query vector equals the vector of
 * a fragment.
 */
const QUERY_SEED = 100_000_000;

const [name, folder = '', ...sizes] = process.argv.slice(2);
const found = STORES.find((store) => store === name);
if (found === undefined)
  throw new Error(`expected the name of a fragment store (${STORES.join(', ')}), found ${String(name)}`);
const opened = await openStoreUnderTest(found, folder);
const { store, pid } = opened;
let filled = 0;
for (const size of sizes.map(Number)) {
  const seconds = await fillStore(store, size);
  const writtenPerSecond = (size - filled) / seconds;
  filled = size;
  await waitUntilProcessIsIdle(pid);
  const dense = await measureSearchTimes((number) =>
    store.searchDense(COLLECTION, SCOPE, createSampleVector(QUERY_SEED + number), LIMIT),
  );
  const lexical = await measureSearchTimes((number) =>
    store.searchLexical(COLLECTION, SCOPE, { text: createSampleWords(QUERY_SEED + number, 4) }, LIMIT),
  );
  const memory = readResidentMemory(pid);
  const figures: StoreFigures = {
    store: found,
    fragments: size,
    writtenPerSecond,
    denseP50: computePercentile(dense, 50),
    denseP95: computePercentile(dense, 95),
    lexicalP50: computePercentile(lexical, 50),
    lexicalP95: computePercentile(lexical, 95),
    denseRecall: await measureRecall(store, size),
    residentMib: memory.resident,
    anonymousMib: memory.anonymous,
  };
  console.log(JSON.stringify(figures));
}
await opened.stop();

/** Fills the store up to a number of fragments. @returns the elapsed seconds */
async function fillStore(into: FragmentStore, size: number): Promise<number> {
  const begun = performance.now();
  let next = filled;
  const writeFragments = async (): Promise<void> => {
    while (next < size) {
      const first = next;
      next += FRAGMENTS_EACH;
      await into.replaceDocument(COLLECTION, {
        ...OWNER,
        documentKey: `document ${first}`,
        generation: 1,
        contentHash: String(first),
        customId: null,
        source: null,
        fragments: Array.from({ length: FRAGMENTS_EACH }, (_, index) => createSampleFragment(first + index)),
      });
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writeFragments));
  return (performance.now() - begun) / 1_000;
}

async function measureSearchTimes(search: (number: number) => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let number = -WARMING_QUERIES; number < QUERIES; number += 1) {
    const begun = performance.now();
    await search(number);
    if (number >= 0) times.push(performance.now() - begun);
  }
  return times;
}

/**
 * Returns the share of the nearest vectors that dense searches find. Determines the nearest vectors by comparing every
 * stored vector with the query vectors.
 */
async function measureRecall(searched: FragmentStore, size: number): Promise<number> {
  const queries = Array.from({ length: RECALL_QUERIES }, (_, number) => ({
    vector: createSampleVector(QUERY_SEED + number),
    cosines: new Float32Array(size),
  }));
  for (let seed = 0; seed < size; seed += 1) {
    const vector = createSampleVector(seed);
    for (const query of queries) query.cosines[seed] = computeDotProduct(vector, query.vector);
  }
  let nearest = 0;
  for (const { vector, cosines } of queries) {
    const lowest = cosines.toSorted().at(-LIMIT) ?? -1;
    const found = await searched.searchDense(COLLECTION, SCOPE, vector, LIMIT);
    nearest += found.filter((fragment) => (cosines[getSeed(fragment)] ?? -1) >= lowest).length;
  }
  return nearest / (RECALL_QUERIES * LIMIT);
}

function computeDotProduct(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += (one[at] ?? 0) * (other[at] ?? 0);
  return sum;
}

/** Returns the seed with which `fillStore` generated a fragment. */
function getSeed({ documentKey, ordinal }: Pick<ScoredFragment, 'documentKey' | 'ordinal'>): number {
  return Number(documentKey.replace('document ', '')) + ordinal;
}

/** Waits until a process is idle, because stores build indexes in the background. */
async function waitUntilProcessIsIdle(pid: number): Promise<void> {
  for (let quiet = 0; quiet < IDLE_WINDOWS;) {
    const before = await readCpuSeconds(pid);
    await wait(WINDOW_MS);
    quiet = (await readCpuSeconds(pid)) - before < IDLE_SHARE ? quiet + 1 : 0;
  }
}
