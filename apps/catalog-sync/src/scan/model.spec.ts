import type { BlobStore } from '@quarry/blob-store';
import { inMemoryBlobStore } from '@quarry/blob-store/testing';
import type { CatalogSyncMode } from '@quarry/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { itemDocument } from '../documents/item-document.js';
import { documentKeyOf } from '../listing/listed-item.js';
import { readItem } from '../listing/read-item.js';
import { Random } from '../testing/random.js';
import { SimulatedShop, type ShopItem, type ShopManner } from '../testing/simulated-shop.js';
import { SyncBench, syncJob } from '../testing/sync-bench.js';

/** New ones each time: a run of the tests is a sample. `QUARRY_MODEL_SEEDS=1000` makes it a larger one. */
const SEEDS = Number(process.env['QUARRY_MODEL_SEEDS'] ?? 300);

class Killed extends Error {}

/** A shop that is edited at random between any two requests, and a synchronisation that is killed at random. */
class Simulation {
  readonly shop: SimulatedShop;
  readonly bench: SyncBench;
  readonly #random: Random;
  readonly #pageSize: number;
  #quiet = false;
  #killsLeft = 0;
  #dead = false;
  #editsLeft = 0;
  #runs = 0;

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
    this.bench.gateway.ingestionQueue.onAdd = () => {
      this.#perhapsDie();
    };
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
    this.#quiet = true;
  }

  /** @returns whether the run said that it saw everything */
  async sync(mode: CatalogSyncMode): Promise<boolean> {
    this.#runs += 1;
    this.#killsLeft = this.#quiet ? 0 : this.#random.between(0, 2);
    // A shop that is edited faster than it is read has no end.
    this.#editsLeft = this.#random.between(0, 12);
    const runId = `run-${this.#runs}`;
    for (let starts = 1; ; starts += 1) {
      this.#dead = false;
      try {
        await this.bench.sync(syncJob({ runId, generation: this.#runs, mode, pageSize: this.#pageSize }), { starts });
        break;
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
      }
    }
    return (await this.bench.gateway.endRun(runId)).complete;
  }

  async #betweenRequests(): Promise<void> {
    if (this.#quiet) return;
    if (this.#editsLeft > 0 && this.#random.chance(0.6)) {
      this.#editsLeft -= 1;
      this.shop.edit();
    }
    await this.bench.gateway.ingest(() => this.#random.chance(0.5));
    this.#perhapsDie();
  }

  /** Listings answer sooner or later than what was read is handed over. */
  async #aWhile(): Promise<void> {
    if (this.#random.chance(0.2)) await new Promise(setImmediate);
    for (let turns = this.#random.between(0, 30); turns > 0; turns -= 1) await Promise.resolve();
  }

  /** Dies where it is asked, or only fails there: then the state is still written. */
  #perhapsDie(): void {
    if (this.#dead) throw new Killed();
    if (this.#killsLeft === 0 || !this.#random.chance(0.05)) return;
    this.#killsLeft -= 1;
    this.#dead = this.#random.chance(0.7);
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
    [...bench.gateway.index].map(([key, { markdown, job }]) => [
      key,
      { markdown, metadata: job.metadata, name: job.name },
    ]),
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
        expect(await simulation.sync('full')).toBe(true);
        expect(indexed(simulation)).toEqual(inShop(simulation));
        await simulation.sync('incremental');
        expect(simulation.bench.gateway.statusQueue.payloads('run-enumerated').at(-1)).toMatchObject({ documents: 0 });
      }),
      { numRuns: SEEDS },
    );
  });
});
