import { createDocumentRef } from '@quarry/fragment-store';
import { beforeEach, describe, expect, it } from 'vitest';
import { getCollection } from '../indexing/index-document.js';
import { TEXT, EMBEDDING, useWorkers, type IndexingJob, type WorkerUnderTest } from '../testing/worker-under-test.js';

const start = useWorkers();
let worker: WorkerUnderTest;
beforeEach(() => {
  worker = start();
});

describe('a document that is already stored', { timeout: 60_000 }, () => {
  it('the worker does not store a document again if the document has not changed', async () => {
    await worker.index(await worker.upload(TEXT, { embedding: EMBEDDING }));
    const again = await worker.upload(TEXT, { embedding: EMBEDDING });
    await expect(worker.indexAndGetLastEvent(again)).resolves.toMatchObject({
      status: 'synched',
      counters: { indexed: 0, unchanged: 1 },
      fragments: 1,
    });
    expect(worker.countEmbeddingCalls()).toBe(1);
  });

  it.each<[string, Partial<IndexingJob>]>([
    ['name', { name: 'Handbook' }],
    ['metadata', { metadata: { language: 'en' } }],
    ['custom id', { customId: 'c-2' }],
    ['address', { source: 'https://acme.example/2' }],
    ['embedding', { embedding: { ...EMBEDDING, model: 'another' } }],
    ['splitting', { splitting: { maxTokens: 32, overlapTokens: 0 } }],
  ])('the worker stores a document again when its %s has changed', async (_, change) => {
    const text = `${TEXT}\n\n${'More of the manual is said here, at some length. '.repeat(3).trim()}`;
    await worker.index(await worker.upload(text, { embedding: EMBEDDING }));
    const changed = await worker.upload(text, { embedding: EMBEDDING, ...change });
    await expect(worker.indexAndGetLastEvent(changed)).resolves.toMatchObject({
      counters: { indexed: 1, unchanged: 0 },
    });
  });

  it('after a newer run has found a document unchanged, an older run does not replace the stored version of the document', async () => {
    const first = await worker.upload(TEXT);
    await worker.index(first);
    const late = await worker.upload('What was there in between.');
    await worker.index(await worker.upload(TEXT));
    await worker.index(late);
    await expect(worker.describeStored(first)).resolves.toMatchObject({ generation: 3, fragments: 1 });
    expect((await worker.search('warranty', first)).map(({ text }) => text)).toEqual([TEXT]);
  });

  it('searches find exactly one version of a document while the document is replaced', async () => {
    const job = await worker.upload('warranty version 0');
    await worker.index(job);
    let isReplacing = true;
    const found: number[] = [];
    const searchRepeatedly = async (): Promise<void> => {
      while (isReplacing) {
        found.push((await worker.search('warranty', job)).length);
        await new Promise(setImmediate);
      }
    };
    const searching = searchRepeatedly();
    for (let version = 1; version <= 10; version += 1) {
      await worker.index(await worker.upload(`warranty version ${version}`));
    }
    isReplacing = false;
    await searching;
    expect(new Set(found)).toEqual(new Set([1]));
    expect(found.length).toBeGreaterThan(10);
  });

  it('the worker replaces the fragments of a document with the fragments of the new version', async () => {
    const first = await worker.upload(TEXT);
    await worker.index(first);
    await worker.index(await worker.upload('The warranty lasts three years.'));
    expect((await worker.search('warranty', first)).map(({ text }) => text)).toEqual([
      'The warranty lasts three years.',
    ]);
    await expect(worker.search('Lisbon', first)).resolves.toEqual([]);
  });

  it('the worker stores an item with its price and stock status, and stores the item again when its price changes', async () => {
    const item = { datasourceType: 'item_listing', partOfRun: true } as const;
    const createItemJob = (price: number) => ({ ...item, metadata: { price, stock_status: 'instock' } });
    const job = await worker.upload(TEXT, createItemJob(9.5));
    await worker.index(job);
    const searchOffers = (scope: object) =>
      worker.fragmentStore.searchLexical(
        getCollection(undefined),
        { organizationId: job.organizationId, datastoreIds: [job.datastoreId], ...scope },
        { text: 'warranty' },
        10,
      );
    await expect(searchOffers({ price: { max: 9.5 }, stockStatuses: ['instock'] })).resolves.toHaveLength(1);
    await worker.index(await worker.upload(TEXT, createItemJob(12)));
    await expect(searchOffers({ price: { max: 9.5 } })).resolves.toEqual([]);
    await expect(searchOffers({ price: { min: 12 } })).resolves.toHaveLength(1);
  });

  it('the worker stores a document with its metadata for filters, and stores the document again when the metadata change', async () => {
    const job = await worker.upload(TEXT, { metadata: { shelf: 'a', pages: 9 } });
    await worker.index(job);
    const searchShelf = (value: string) =>
      worker.fragmentStore.searchLexical(
        getCollection(undefined),
        {
          organizationId: job.organizationId,
          datastoreIds: [job.datastoreId],
          metadata: { type: 'eq', key: 'shelf', value },
        },
        { text: 'warranty' },
        10,
      );
    await expect(searchShelf('a')).resolves.toHaveLength(1);
    await worker.index(await worker.upload(TEXT, { metadata: { shelf: 'b', pages: 9 } }));
    await expect(searchShelf('a')).resolves.toEqual([]);
    await expect(searchShelf('b')).resolves.toHaveLength(1);
  });

  it('if a newer run stores a document while an older run embeds it, the older run does not replace the newer version', async () => {
    const job = await worker.upload(TEXT, { embedding: EMBEDDING });
    const newer = await worker.upload('The warranty lasts three years.', { embedding: EMBEDDING });
    worker.onNextEmbedding(async (embed) => {
      const version = {
        ...createDocumentRef(newer),
        generation: newer.generation,
        contentHash: 'h',
        customId: null,
        source: null,
      };
      const [vector = null] = await embed();
      const fragment = { text: 'newer', context: '', page: null, location: null, rectangles: [], tokens: 1, vector };
      await worker.fragmentStore.replaceDocument(getCollection(EMBEDDING), {
        ...version,
        fragments: [fragment],
      });
      await worker.blobs.remove(job.blobKey);
      return embed();
    });
    await worker.index(job);
    await expect(worker.describeStored(job)).resolves.toMatchObject({ generation: newer.generation });
  });
});
