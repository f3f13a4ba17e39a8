import type { BlobStore } from '@quarry/blob-store';
import { createInMemoryBlobStore } from '@quarry/blob-store/testing';
import {
  TryLater,
  type CatalogSyncMode,
  type RunEnumerated,
  type RunGateway,
  type SyncCatalog,
} from '@quarry/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createItemDocument } from '../run/item-document.js';
import { buildDocumentKey, PermanentListingError, TemporaryListingError, validateItem } from '@quarry/item-listing';
import { DATASOURCE_ID } from '../testing/simulated-gateway.js';
import { Random } from '../testing/random.js';
import { SimulatedShop, type ShopItem, type ShopBehavior } from '../testing/simulated-shop.js';
import { SyncBench } from '../testing/sync-bench.js';

/**
 * Number of random seeds with which each test is repeated. Each execution of the tests uses new seeds.
 * `QUARRY_MODEL_SEEDS=1000` tests more seeds, and `QUARRY_TEST_SEED` repeats a failed execution.
 */
const SEEDS = Number(process.env['QUARRY_MODEL_SEEDS'] ?? 300);

class Killed extends Error {}

/**
 * Simulates a shop with random edits between requests. At random, a request fails temporarily, and a sync is killed, is
 * cancelled, is superseded or fails.
 */
class Simulation {
  readonly shop: SimulatedShop;
  readonly bench: SyncBench;
  readonly #random: Random;
  readonly #pageSize: number;
  #isUndisturbed = false;
  #killsLeft = 0;
  #isDead = false;
  #editsLeft = 0;
  #failuresLeft = 0;
  #disturbancesLeft = 0;
  #lastRunId = '';

  constructor(seed: number, behavior: ShopBehavior) {
    this.#random = new Random(seed);
    this.#pageSize = this.#random.pickInteger(2, 5);
    this.shop = new SimulatedShop(this.#random, behavior);
    const blobs = createInMemoryBlobStore();
    const write: BlobStore['write'] = async (key, content) => {
      this.#killSometimes();
      return blobs.write(key, content);
    };
    this.bench = new SyncBench(
      async (query) => {
        await this.#disturbBetweenRequests();
        await this.#waitBriefly();
        return this.shop.servePage(query);
      },
      { ...blobs, write },
    );
    // A call that fails may still have taken effect.
    const killAtRandom = (method: keyof RunGateway): void => {
      if (method === 'recordDocuments') this.#killSometimes();
    };
    this.bench.gateway.runs.onCall = killAtRandom;
    this.bench.gateway.runs.onReturn = killAtRandom;
    this.bench.gateway.statusQueue.onAdd = () => {
      this.#killSometimes();
    };
  }

  async runSyncs(): Promise<void> {
    for (let runs = this.#random.pickInteger(1, 4); runs > 0; runs -= 1) {
      this.shop.editItems();
      await this.synchronise(this.#random.decideAtRandom(0.3) ? 'full' : 'incremental');
    }
    this.shop.editItems();
    this.#isUndisturbed = true;
  }

  /** Runs a sync to its end. @returns the last event of the run; undefined if it was cancelled, superseded or failed */
  async synchronise(mode: CatalogSyncMode): Promise<RunEnumerated | undefined> {
    this.#killsLeft = this.#isUndisturbed ? 0 : this.#random.pickInteger(0, 2);
    this.#disturbancesLeft = this.#isUndisturbed ? 0 : this.#random.pickInteger(0, 1);
    this.#failuresLeft = this.#isUndisturbed ? 0 : this.#random.pickInteger(0, 4);
    // Limits the edits, because the scan never ends if the shop is edited faster than it is read.
    this.#editsLeft = this.#random.pickInteger(0, 12);
    const job = await this.bench.startRun({ mode, pageSize: this.#pageSize });
    this.#lastRunId = job.runId;
    if (!(await this.#runToEnd(job)) || !(await this.#isWanted(job.runId))) return undefined;
    // Documents of full runs do not fail here. The gateway stores the state of a full run even if documents fail, so
    // that the next incremental run would not repeat them.
    await this.bench.gateway.ingestDocuments(job.runId, () => this.#chooseOutcome(mode));
    const end = await this.bench.gateway.endRun(job.runId);
    const { toIndex, settled } = this.bench.gateway.getRecordedDocuments(job.runId);
    const documents = toIndex.length + settled.length;
    expect(end, 'the counters add up').toMatchObject({ discovered: documents, fetched: documents });
    return end;
  }

  /**
   * Runs the handler until the job ends, and restarts it after each kill and each temporary failure. @returns whether
   * the job completed
   */
  async #runToEnd(job: SyncCatalog): Promise<boolean> {
    for (let starts = 1; ; starts += 1) {
      this.#isDead = false;
      try {
        await this.bench.syncUntilEnd(job, { starts });
        return true;
      } catch (error) {
        if (error instanceof Killed || error instanceof TryLater) continue;
        if (!(error instanceof PermanentListingError)) throw error;
        if (await this.#isWanted(job.runId)) await this.bench.gateway.cancelRun(job.runId);
        return false;
      }
    }
  }

  async #isWanted(runId: string): Promise<boolean> {
    const [state] = await this.bench.gateway.runs.gateway.readRunStates([{ datasourceId: DATASOURCE_ID, runId }]);
    return state === 'wanted';
  }

  #chooseOutcome(mode: CatalogSyncMode): 'indexed' | 'failed' | 'later' {
    if (this.#isUndisturbed || this.#random.decideAtRandom(0.5)) return 'indexed';
    return mode === 'incremental' && this.#random.decideAtRandom(0.2) ? 'failed' : 'later';
  }

  async #disturbBetweenRequests(): Promise<void> {
    if (this.#isUndisturbed) return;
    if (this.#editsLeft > 0 && this.#random.decideAtRandom(0.6)) {
      this.#editsLeft -= 1;
      this.shop.editItems();
    }
    await this.bench.gateway.ingestDocuments(this.#lastRunId, () =>
      this.#random.decideAtRandom(0.5) ? 'indexed' : 'later',
    );
    if (this.#disturbancesLeft > 0 && this.#random.decideAtRandom(0.1)) await this.#disturbRun();
    this.#killSometimes();
    if (this.#failuresLeft > 0 && this.#random.decideAtRandom(0.2)) {
      this.#failuresLeft -= 1;
      throw new TemporaryListingError('listing_unavailable', 'the listing responded with 503');
    }
  }

  /** Disturbs the current run at random: cancels it, replaces it by a complete newer run, or makes the listing fail. */
  async #disturbRun(): Promise<void> {
    this.#disturbancesLeft -= 1;
    const how = this.#random.pickInteger(1, 3);
    if (how === 1) await this.bench.gateway.cancelRun(this.#lastRunId);
    if (how === 2) await this.synchronise(this.#random.decideAtRandom(0.5) ? 'full' : 'incremental');
    if (how === 3) throw new PermanentListingError('listing_not_json', 'expected JSON, found nothing');
  }

  /**
   * Waits for a short random time, so that a page may arrive before or after the items of earlier pages are recorded.
   */
  async #waitBriefly(): Promise<void> {
    if (this.#random.decideAtRandom(0.2)) await new Promise(setImmediate);
    for (let turns = this.#random.pickInteger(0, 30); turns > 0; turns -= 1) await Promise.resolve();
  }

  /**
   * Throws at random. Either all further calls of the process fail, too, as if it were killed. Or only this call fails,
   * and the process still saves its checkpoint.
   */
  #killSometimes(): void {
    if (this.#isDead) throw new Killed();
    if (this.#killsLeft === 0 || !this.#random.decideAtRandom(0.05)) return;
    this.#killsLeft -= 1;
    this.#isDead = this.#random.decideAtRandom(0.7);
    throw new Killed();
  }
}

const convertToDocument = (item: ShopItem): object => {
  const reading = validateItem({ raw: item, id: String(item.id) });
  if (!reading.valid) throw new Error(reading.problem);
  const { markdown, metadata, name } = createItemDocument(reading.item);
  return { markdown, metadata, name };
};

const listIndexedDocuments = ({ bench }: Simulation): Record<string, object> =>
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

const listShopDocuments = ({ shop }: Simulation): Record<string, object> =>
  Object.fromEntries([...shop.items].map(([id, item]) => [buildDocumentKey(id), convertToDocument(item)]));

const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 });

describe('the index after random edits, crashes, temporary failures and cancellations', () => {
  it.each([
    { behavior: 'compliant', law: 'all items after an incremental sync, and no others after a full sync' },
    {
      behavior: 'noncompliant',
      law: 'exactly the items after a full sync, even if dates did not change or lie in the past',
    },
  ] as const)(
    'after syncs of a $behavior shop that is edited meanwhile, the index contains $law',
    { timeout: 120_000 + SEEDS * 400 },
    async ({ behavior }) => {
      await fc.assert(
        fc.asyncProperty(seeds, async (seed) => {
          const simulation = new Simulation(seed, behavior);
          await simulation.runSyncs();
          await simulation.synchronise('incremental');
          if (behavior === 'compliant')
            expect(listIndexedDocuments(simulation)).toMatchObject(listShopDocuments(simulation));
          expect(await simulation.synchronise('full')).toMatchObject({ complete: true });
          expect(listIndexedDocuments(simulation)).toEqual(listShopDocuments(simulation));
          expect(await simulation.synchronise('incremental')).toMatchObject({ discovered: 0 });
        }),
        { numRuns: SEEDS },
      );
    },
  );
});
