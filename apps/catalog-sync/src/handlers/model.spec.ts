import type { BlobStore } from '@quarry/blob-store';
import { inMemoryBlobStore } from '@quarry/blob-store/testing';
import type { CatalogSyncMode, RunEnumerated, RunGateway, SyncCatalog } from '@quarry/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itemDocument } from '../documents/item-document.js';
import { documentKeyOf, ListingBroken, readItem } from '@quarry/item-listing';
import { DATASOURCE_ID } from '../testing/simulated-gateway.js';
import { Random } from '../testing/random.js';
import { SimulatedShop, type ShopItem, type ShopManner } from '../testing/simulated-shop.js';
import { SyncBench } from '../testing/sync-bench.js';

/**
 * New ones each time: a run of the tests is a sample. `QUARRY_MODEL_SEEDS=1000` makes it a larger one, and `QUARRY_TEST_SEED`
 * repeats one that failed.
 */
const SEEDS = Number(process.env['QUARRY_MODEL_SEEDS'] ?? 300);

class Killed extends Error {}

/** A shop that is edited at random between any two requests, and syncs that are killed, cancelled, superseded and fail at random. */
class Simulation {
  readonly shop: SimulatedShop;
  readonly bench: SyncBench;
  readonly #random: Random;
  readonly #pageSize: number;
  #isQuiet = false;
  #killsLeft = 0;
  #isDead = false;
  #editsLeft = 0;
  #disturbancesLeft = 0;
  #lastRunId = '';

  constructor(seed: number, manner: ShopManner) {
    this.#random = new Random(seed);
    this.#pageSize = this.#random.between(2, 5);
    this.shop = new SimulatedShop(this.#random, manner);
    const blobs = inMemoryBlobStore();
    const write: BlobStore['write'] = async (key, content) => {
      this.#perhapsDie();
      return blobs.write(key, content);
    };
    this.bench = new SyncBench(
      async (query) => {
        await this.#betweenRequests();
        await this.#aWhile();
        return this.shop.page(query);
      },
      { ...blobs, write },
    );
    // A call that fails has been made, or not.
    const perhapsDie = (method: keyof RunGateway): void => {
      if (method === 'recordDocuments') this.#perhapsDie();
    };
    this.bench.gateway.runs.onCall = perhapsDie;
    this.bench.gateway.runs.onReturn = perhapsDie;
    this.bench.gateway.statusQueue.onAdd = () => {
      this.#perhapsDie();
    };
  }

  async live(): Promise<void> {
    for (let runs = this.#random.between(1, 4); runs > 0; runs -= 1) {
      this.shop.edit();
      await this.sync(this.#random.chance(0.3) ? 'full' : 'incremental');
    }
    this.shop.edit();
    this.#isQuiet = true;
  }

  /** Returns the end of the run; undefined when it was cancelled, superseded or failed. */
  async sync(mode: CatalogSyncMode): Promise<RunEnumerated | undefined> {
    this.#killsLeft = this.#isQuiet ? 0 : this.#random.between(0, 2);
    this.#disturbancesLeft = this.#isQuiet ? 0 : this.#random.between(0, 1);
    // A shop that is edited faster than it is read has no end.
    this.#editsLeft = this.#random.between(0, 12);
    const job = await this.bench.startRun({ mode, pageSize: this.#pageSize });
    this.#lastRunId = job.runId;
    if (!(await this.#runToEnd(job)) || !(await this.#isWanted(job.runId))) return undefined;
    // The gateway keeps the listing's state of a full run whatever ingestion does, so that only these repeat failures at once.
    await this.bench.gateway.ingest(job.runId, () => this.#settle(mode));
    const end = await this.bench.gateway.endRun(job.runId);
    const { toIndex, settled } = this.bench.gateway.recorded(job.runId);
    const documents = toIndex.length + settled.length;
    expect(end, 'the counters add up').toMatchObject({ discovered: documents, fetched: documents });
    return end;
  }

  /** Returns whether the handler has come to its end. */
  async #runToEnd(job: SyncCatalog): Promise<boolean> {
    for (let starts = 1; ; starts += 1) {
      this.#isDead = false;
      try {
        await this.bench.sync(job, { starts });
        return true;
      } catch (error) {
        if (error instanceof Killed) continue;
        if (!(error instanceof ListingBroken)) throw error;
        if (await this.#isWanted(job.runId)) await this.bench.gateway.cancel(job.runId);
        return false;
      }
    }
  }

  async #isWanted(runId: string): Promise<boolean> {
    const [state] = await this.bench.gateway.runs.gateway.runStates([{ datasourceId: DATASOURCE_ID, runId }]);
    return state === 'wanted';
  }

  #settle(mode: CatalogSyncMode): 'indexed' | 'failed' | 'later' {
    if (this.#isQuiet || this.#random.chance(0.5)) return 'indexed';
    return mode === 'incremental' && this.#random.chance(0.2) ? 'failed' : 'later';
  }

  async #betweenRequests(): Promise<void> {
    if (this.#isQuiet) return;
    if (this.#editsLeft > 0 && this.#random.chance(0.6)) {
      this.#editsLeft -= 1;
      this.shop.edit();
    }
    await this.bench.gateway.ingest(this.#lastRunId, () => (this.#random.chance(0.5) ? 'indexed' : 'later'));
    if (this.#disturbancesLeft > 0 && this.#random.chance(0.1)) await this.#disturb();
    this.#perhapsDie();
  }

  /** The run is cancelled, superseded by one that ends before this one goes on, or fails. */
  async #disturb(): Promise<void> {
    this.#disturbancesLeft -= 1;
    const how = this.#random.between(1, 3);
    if (how === 1) await this.bench.gateway.cancel(this.#lastRunId);
    if (how === 2) await this.sync(this.#random.chance(0.5) ? 'full' : 'incremental');
    if (how === 3) throw new ListingBroken('listing_not_json', 'expected JSON, found nothing');
  }

  /** Listings answer sooner or later than what was read is recorded. */
  async #aWhile(): Promise<void> {
    if (this.#random.chance(0.2)) await new Promise(setImmediate);
    for (let turns = this.#random.between(0, 30); turns > 0; turns -= 1) await Promise.resolve();
  }

  /** Dies where it is asked, or only fails there: then the checkpoint is still saved. */
  #perhapsDie(): void {
    if (this.#isDead) throw new Killed();
    if (this.#killsLeft === 0 || !this.#random.chance(0.05)) return;
    this.#killsLeft -= 1;
    this.#isDead = this.#random.chance(0.7);
    throw new Killed();
  }
}

const contentOf = (item: ShopItem): object => {
  const reading = readItem({ raw: item, id: String(item.id) });
  if (!reading.valid) throw new Error(reading.problem);
  const { markdown, metadata, name } = itemDocument(reading.item);
  return { markdown, metadata, name };
};

const indexed = ({ bench }: Simulation): Record<string, object> =>
  Object.fromEntries(
    [...bench.gateway.index].map(
      ([
        key,
        {
          markdown,
          document: { metadata, name },
        },
      ]) => [key, { markdown, metadata, name }],
    ),
  );

const inShop = ({ shop }: Simulation): Record<string, object> =>
  Object.fromEntries([...shop.items].map(([id, item]) => [documentKeyOf(id), contentOf(item)]));

const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 });

describe('a shop that is edited while it is read', () => {
  it.each([
    { manner: 'honest', law: 'after an incremental sync, but for what was deleted, and wholly after a full one' },
    { manner: 'wild', law: 'after a full sync, though it was also edited in the past and without telling' },
  ] as const)('is indexed as it is: $manner, $law', { timeout: 120_000 + SEEDS * 400 }, async ({ manner }) => {
    await fc.assert(
      fc.asyncProperty(seeds, async (seed) => {
        const simulation = new Simulation(seed, manner);
        await simulation.live();
        await simulation.sync('incremental');
        if (manner === 'honest') expect(indexed(simulation)).toMatchObject(inShop(simulation));
        expect(await simulation.sync('full')).toMatchObject({ complete: true });
        expect(indexed(simulation)).toEqual(inShop(simulation));
        expect(await simulation.sync('incremental')).toMatchObject({ discovered: 0 });
      }),
      { numRuns: SEEDS },
    );
  });
});
