import { Readable } from 'node:stream';
import { cancelRuns } from '@quarry/blob-store';
import { ingestionQueue } from '@quarry/contracts';
import { EmbeddingFailed } from '@quarry/embedder';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collectionOf } from '../indexing/index-document.js';
import { storedDocument } from '../indexing/stored-document.js';
import { column, makePdf } from '../testing/make-pdf.js';
import {
  EMBEDDING,
  startWorkerUnderTest,
  type IndexingJob,
  type WorkerOptions,
  type WorkerUnderTest,
} from '../testing/worker-under-test.js';

import { handleRemoveDatasource, handleRemoveDatastore, handleRemoveDocument } from './removals.js';

const PDF = 'application/pdf';
const TEXT = 'The warranty lasts two years.\n\nThe office is in Lisbon.';

let worker: WorkerUnderTest;
const open: WorkerUnderTest[] = [];
const start = (options: WorkerOptions = {}): WorkerUnderTest => {
  const started = startWorkerUnderTest(options);
  open.push(started);
  return started;
};
beforeEach(() => {
  worker = start();
});
afterEach(async () => {
  for (const started of open.splice(0)) await started.close();
});

const stored = (job: IndexingJob, of = worker) =>
  of.fragmentStore.describeDocument(collectionOf(job.embedding), storedDocument(job));

/** Until it was told that the run is under way: what ends at once never says so. */
async function untilToldRunning({ runId }: IndexingJob): Promise<void> {
  await expect.poll(() => worker.told(runId).map(({ payload }) => payload)).toMatchObject([{ status: 'running' }]);
}

/** What a run ended with. */
async function endOf(job: IndexingJob, of = worker): Promise<unknown> {
  return (await of.index(job)).at(-1)?.payload;
}

describe('indexing a document', { timeout: 60_000 }, () => {
  it('stores its fragments, and tells how its run goes', async () => {
    const job = await worker.upload(TEXT, {
      embedding: EMBEDDING,
      source: 'https://acme.example/manual',
      customId: 'c-1',
    });
    worker.onNextEmbedding(async (embed) => {
      await untilToldRunning(job);
      return embed();
    });
    const events = await worker.index(job);
    const statuses = events.map(({ payload }) => ('status' in payload ? payload.status : 'progress'));
    // Progress is told after a second: a slow machine hears of it.
    expect(statuses.filter((status) => status !== 'progress')).toEqual(['running', 'synched']);
    expect(events.at(-1)?.payload).toMatchObject({
      datasourceId: 'datasource',
      counters: { discovered: 1, indexed: 1, failed: 0, unchanged: 0 },
      fragments: 1,
      storedTokens: (await stored(job))?.tokens,
    });
    const [found] = await worker.search('warranty', job);
    expect(found).toMatchObject({
      text: TEXT,
      context: 'Manual',
      source: 'https://acme.example/manual',
      customId: 'c-1',
      documentKey: 'datasource/document',
    });
  });

  it('embeds fragments with what they stand under, where the datastore is embedded', async () => {
    const job = await worker.upload(TEXT, { embedding: EMBEDDING });
    await expect(endOf(job)).resolves.toMatchObject({ status: 'synched' });
    expect(worker.embeddings()).toBe(1);
    await expect(stored(job)).resolves.toMatchObject({ fragments: 1 });
  });

  it('leaves alone what is stored already as it would be stored now', async () => {
    await worker.index(await worker.upload(TEXT, { embedding: EMBEDDING }));
    const again = await worker.upload(TEXT, { embedding: EMBEDDING });
    await expect(endOf(again)).resolves.toMatchObject({
      status: 'synched',
      counters: { indexed: 0, unchanged: 1 },
      fragments: 1,
    });
    expect(worker.embeddings()).toBe(1);
  });

  it.each<[string, Partial<IndexingJob>]>([
    ['name', { name: 'Handbook' }],
    ['metadata', { metadata: { language: 'en' } }],
    ['custom id', { customId: 'c-2' }],
    ['address', { source: 'https://acme.example/2' }],
    ['embedding', { embedding: { ...EMBEDDING, model: 'another' } }],
    ['splitting', { splitting: { maxTokens: 32, overlapTokens: 0 } }],
  ])('stores it again when its %s has changed', async (_, change) => {
    const text = `${TEXT}\n\n${'More of the manual is said here, at some length. '.repeat(3).trim()}`;
    await worker.index(await worker.upload(text, { embedding: EMBEDDING }));
    const changed = await worker.upload(text, { embedding: EMBEDDING, ...change });
    await expect(endOf(changed)).resolves.toMatchObject({ counters: { indexed: 1, unchanged: 0 } });
  });

  it('lets no older run replace what a newer one found unchanged', async () => {
    const first = await worker.upload(TEXT);
    await worker.index(first);
    const late = await worker.upload('What was there in between.');
    await worker.index(await worker.upload(TEXT));
    await worker.index(late);
    await expect(stored(first)).resolves.toMatchObject({ generation: 3, fragments: 1 });
    expect((await worker.search('warranty', first)).map(({ text }) => text)).toEqual([TEXT]);
  });

  it('is found by searches all the while it is replaced, in one version', async () => {
    const job = await worker.upload('warranty version 0');
    await worker.index(job);
    let isReplacing = true;
    const found: number[] = [];
    const search = async (): Promise<void> => {
      while (isReplacing) {
        found.push((await worker.search('warranty', job)).length);
        await new Promise(setImmediate);
      }
    };
    const searching = search();
    for (let version = 1; version <= 10; version += 1) {
      await worker.index(await worker.upload(`warranty version ${version}`));
    }
    isReplacing = false;
    await searching;
    expect(new Set(found)).toEqual(new Set([1]));
    expect(found.length).toBeGreaterThan(10);
  });

  it('replaces what was stored before', async () => {
    const first = await worker.upload(TEXT);
    await worker.index(first);
    await worker.index(await worker.upload('The warranty lasts three years.'));
    expect((await worker.search('warranty', first)).map(({ text }) => text)).toEqual([
      'The warranty lasts three years.',
    ]);
    await expect(worker.search('Lisbon', first)).resolves.toEqual([]);
  });

  it('says on which page a fragment is', async () => {
    const pages = [column(['The warranty lasts two years.']), column(['The office is in Lisbon.'])];
    const job = await worker.upload(makePdf(pages), { mimeType: PDF, splitting: { maxTokens: 32, overlapTokens: 0 } });
    await worker.index(job);
    await expect(worker.search('warranty', job)).resolves.toMatchObject([{ page: 1 }]);
  });

  it.each<[string, string, string | Uint8Array, Partial<IndexingJob>]>([
    ['file_empty', 'a file of 0 bytes', '', {}],
    ['no_text_found', 'a page without text', makePdf([[]]), { mimeType: PDF }],
    ['file_encrypted', 'a file with a password', makePdf([column(['x'])], { encrypted: true }), { mimeType: PDF }],
    ['file_unreadable', 'a damaged file', `%PDF-1.7\n${'garbage '.repeat(99)}`, { mimeType: PDF }],
    ['file_type_mismatch', 'text that is called a PDF', TEXT, { mimeType: PDF }],
    ['file_type_mismatch', 'a name that says otherwise', TEXT, { datasourceType: 'file', name: 'scan.pdf' }],
    ['file_type_unsupported', 'a type that is not supported', TEXT, { mimeType: 'text/html' }],
    ['content_missing', 'content that is gone', TEXT, { blobKey: 'organization/datastore/datasource/gone' }],
  ])('ends in error with %s for %s, at the first attempt', async (code, _, content, more) => {
    const job = await worker.upload(content, more);
    const events = await worker.index(job);
    const firstStart = 19_999;
    expect(events.at(-1)?.payload).toMatchObject({
      ...{ status: 'error', code, counters: { failed: 1 } },
      sequence: firstStart,
    });
    expect(events.at(-1)?.payload).toHaveProperty('message', expect.stringMatching(/^[A-Z].{15,}\.$/s));
    await expect(stored(job)).resolves.toBeUndefined();
  });

  it.each([
    ['No text was found in blank.txt.', ' \n ', { name: 'blank.txt' }],
    [
      'No text was found in scan.pdf. A scan needs its text recognised first.',
      makePdf([[]]),
      { name: 'scan.pdf', mimeType: PDF },
    ],
  ])('says “%s” of a file without text', async (message, content, more) => {
    const job = await worker.upload(content, more);
    await expect(endOf(job, worker)).resolves.toMatchObject({ message });
  });

  it('ends in error when a file is over the limit of bytes', async () => {
    const small = start({ maxFileBytes: 10 });
    await expect(endOf(await small.upload(TEXT), small)).resolves.toMatchObject({
      code: 'file_too_large',
      message: 'The file is over the limit of 10 bytes.',
    });
  });

  it('keeps what is stored when its new content cannot be read', async () => {
    const first = await worker.upload(TEXT);
    await worker.index(first);
    await worker.index(await worker.upload('', {}));
    await expect(worker.search('warranty', first)).resolves.toHaveLength(1);
  });

  it('tries again when the embedder is away, and its later events are newer', async () => {
    const job = await worker.upload(TEXT, { embedding: EMBEDDING });
    worker.onNextEmbedding(async () => {
      await untilToldRunning(job);
      throw new EmbeddingFailed('embedder_unavailable', 'the embedder is away');
    });
    const events = await worker.index(job);
    expect(events.at(-1)?.payload).toMatchObject({ status: 'synched', fragments: 1 });
    const sequences = events.flatMap(({ payload }) => ('sequence' in payload ? [payload.sequence] : []));
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
    expect(new Set(sequences).size).toBe(sequences.length);
    expect(sequences[0]).toBe(10_001);
    expect(sequences.at(-1)).toBe(29_999);
  });

  it('ends in error with the embedder’s own reason when it stays away', async () => {
    const job = await worker.upload(TEXT, { embedding: EMBEDDING });
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      worker.onNextEmbedding(() => Promise.reject(new EmbeddingFailed('embedder_unavailable', 'the embedder is away')));
    }
    await expect(endOf(job)).resolves.toMatchObject({
      status: 'error',
      code: 'embedder_unavailable',
      message: 'the embedder is away',
    });
    expect(worker.embeddings()).toBe(5);
  });

  it('does not try again when the embedder refuses', async () => {
    const job = await worker.upload(TEXT, { embedding: EMBEDDING });
    worker.onNextEmbedding(() => Promise.reject(new EmbeddingFailed('embedder_refused', '401 Incorrect API key')));
    await expect(endOf(job)).resolves.toMatchObject({ code: 'embedder_refused', message: '401 Incorrect API key' });
    expect(worker.embeddings()).toBe(1);
  });

  it('says that no embedder is configured', async () => {
    const without = start({ embedderFor: () => undefined });
    const job = await without.upload(TEXT, { embedding: EMBEDDING });
    await expect(endOf(job, without)).resolves.toMatchObject({ code: 'embedder_not_configured' });
  });

  it('says that the vectors are not as long as the datastore wants them', async () => {
    const job = await worker.upload(TEXT, { embedding: { ...EMBEDDING, dimensions: 128 } });
    await expect(endOf(job)).resolves.toMatchObject({ code: 'embedding_dimensions_mismatch' });
  });

  it('leaves and tells the same when it runs again after it died between storing and telling', async () => {
    let deaths = 0;
    const dying = start({
      wrapStore: (store) => ({
        ...store,
        replaceDocument: async (collection, version) => {
          await store.replaceDocument(collection, version);
          deaths += 1;
          if (deaths === 1) throw new Error('the process is gone');
        },
      }),
    });
    const job = await dying.upload(TEXT, { embedding: EMBEDDING });
    await expect(endOf(job, dying)).resolves.toMatchObject({
      status: 'synched',
      counters: { indexed: 1, unchanged: 0 },
    });
    expect(dying.embeddings()).toBe(1);
    await expect(dying.search('warranty', job)).resolves.toHaveLength(1);
  });

  it('stores nothing when it is stopped in the middle, and everything when it runs again', async () => {
    const job = await worker.upload(TEXT, { embedding: EMBEDDING });
    let during: unknown;
    worker.onNextEmbedding(async () => {
      during = await stored(job);
      throw new Error('the process is gone');
    });
    await expect(endOf(job)).resolves.toMatchObject({ status: 'synched' });
    expect(during).toBeUndefined();
    await expect(stored(job)).resolves.toMatchObject({ fragments: 1, generation: job.generation });
  });

  it('tells of one of several documents when it ends, and of nothing before', async () => {
    const page = { partOfRun: true, documentKey: 'https://acme.example/a', source: 'https://acme.example/a' };
    const good = await worker.index(await worker.upload(TEXT, page));
    expect(good.map(({ name }) => name)).toEqual(['document-settled']);
    expect(good[0]?.payload).toMatchObject({ documentKey: page.documentKey, outcome: 'indexed', fragments: 1 });
    const bad = await worker.index(await worker.upload('', page));
    expect(bad.map(({ payload }) => payload)).toMatchObject([{ outcome: 'failed', code: 'file_empty' }]);
  });

  it.each([true, false])('stores nothing of a run that was cancelled, part of a run: %s', async (partOfRun) => {
    const job = await worker.upload(TEXT, partOfRun ? { partOfRun } : {});
    await cancelRuns(worker.blobs, job);
    await expect(endOf(job)).resolves.toMatchObject({ code: 'cancelled' });
    await expect(stored(job)).resolves.toBeUndefined();
    expect(worker.queues.failed(ingestionQueue)).toEqual([]);
    const next = await worker.upload(TEXT);
    await expect(endOf(next)).resolves.toMatchObject({ status: 'synched' });
  });

  it('takes back what it stored when its datasource was removed meanwhile', async () => {
    const job = await worker.upload(TEXT, { embedding: EMBEDDING });
    const { organizationId, datastoreId, datasourceId } = job;
    worker.onNextEmbedding(async (embed) => {
      const prefix = `${organizationId}/${datastoreId}/${datasourceId}/`;
      await worker.blobs.removeAll(prefix);
      await worker.fragmentStore.removeDatasource(collectionOf(EMBEDDING), job);
      return embed();
    });
    await expect(endOf(job)).resolves.toMatchObject({ status: 'error', code: 'content_missing' });
    await expect(stored(job)).resolves.toBeUndefined();
  });

  it('takes back what it stored for a removed datasource whose crawler put the blob there again', async () => {
    const job = await worker.upload(TEXT, { embedding: EMBEDDING, datasourceType: 'web_site', partOfRun: true });
    worker.onNextEmbedding(async (embed) => {
      await handleRemoveDatasource(worker, job);
      await worker.blobs.write(job.blobKey, Readable.from([TEXT]));
      return embed();
    });
    await expect(endOf(job)).resolves.toMatchObject({ outcome: 'failed', code: 'content_missing' });
    await expect(stored(job)).resolves.toBeUndefined();
  });

  it('stores what an item costs and whether it is there, and stores it again when that changes', async () => {
    const item = { datasourceType: 'item_listing', partOfRun: true } as const;
    const offered = (price: number) => ({ ...item, metadata: { price, stock_status: 'instock' } });
    const job = await worker.upload(TEXT, offered(9.5));
    await worker.index(job);
    const passing = (scope: object) =>
      worker.fragmentStore.searchLexical(
        collectionOf(undefined),
        { organizationId: job.organizationId, datastoreIds: [job.datastoreId], ...scope },
        'warranty',
        10,
      );
    await expect(passing({ price: { max: 9.5 }, stockStatuses: ['instock'] })).resolves.toHaveLength(1);
    await worker.index(await worker.upload(TEXT, offered(12)));
    await expect(passing({ price: { max: 9.5 } })).resolves.toEqual([]);
    await expect(passing({ price: { min: 12 } })).resolves.toHaveLength(1);
  });

  it('keeps the same page of two datasources apart', async () => {
    const key = { documentKey: 'https://acme.example/a' };
    const ofPage = await worker.upload('The warranty of the page.', key);
    const ofSite = await worker.upload('The warranty of the site.', { ...key, datasourceId: 'site', partOfRun: true });
    for (const job of [ofPage, ofSite]) await worker.index(job);
    expect((await worker.search('warranty', ofPage)).map(({ datasourceId }) => datasourceId).sort()).toEqual([
      'datasource',
      'site',
    ]);
    await handleRemoveDocument(worker, ofSite);
    await expect(worker.search('warranty', ofPage)).resolves.toMatchObject([{ datasourceId: 'datasource' }]);
  });

  it('leaves what a newer run stored, when its own content was given up for it', async () => {
    const job = await worker.upload(TEXT, { embedding: EMBEDDING });
    const newer = await worker.upload('The warranty lasts three years.', { embedding: EMBEDDING });
    worker.onNextEmbedding(async (embed) => {
      const version = {
        ...storedDocument(newer),
        generation: newer.generation,
        contentHash: 'h',
        customId: null,
        source: null,
      };
      const [vector = null] = await embed();
      const fragment = { text: 'newer', context: '', page: null, location: null, tokens: 1, vector };
      await worker.fragmentStore.replaceDocument(collectionOf(EMBEDDING), { ...version, fragments: [fragment] });
      await worker.blobs.remove(job.blobKey);
      return embed();
    });
    await worker.index(job);
    await expect(stored(job)).resolves.toMatchObject({ generation: newer.generation });
  });
});

describe('removing', { timeout: 60_000 }, () => {
  const other = { datasourceId: 'another', documentKey: 'other' };

  async function indexTwo(): Promise<readonly [IndexingJob, IndexingJob]> {
    const job = await worker.upload(TEXT, { embedding: EMBEDDING });
    const beside = await worker.upload(TEXT, { embedding: EMBEDDING, ...other });
    await worker.blobs.write('organization/datastore/another/blob', Readable.from(['x']));
    await worker.index(job);
    await worker.index(beside);
    return [job, beside];
  }

  it('a datasource takes its fragments and blobs, and nothing beside it', async () => {
    const [job, beside] = await indexTwo();
    await handleRemoveDatasource(worker, job);
    await handleRemoveDatasource(worker, job);
    await expect(stored(job)).resolves.toBeUndefined();
    await expect(worker.blobs.read(job.blobKey)).rejects.toThrow('there is no blob');
    await expect(stored(beside)).resolves.toBeDefined();
    await expect(worker.blobs.read('organization/datastore/another/blob')).resolves.toBeDefined();
  });

  it('a datastore takes everything in it', async () => {
    const [job, beside] = await indexTwo();
    await handleRemoveDatastore(worker, job);
    await handleRemoveDatastore(worker, job);
    await expect(stored(job)).resolves.toBeUndefined();
    await expect(stored(beside)).resolves.toBeUndefined();
    await expect(worker.blobs.read(job.blobKey)).rejects.toThrow('there is no blob');
    await expect(worker.blobs.read('organization/datastore/another/blob')).rejects.toThrow('there is no blob');
  });

  it('a document that a later run has stored again leaves it', async () => {
    const job = await worker.upload(TEXT);
    const later = await worker.upload('The warranty lasts three years.');
    await worker.index(later);
    await handleRemoveDocument(worker, job);
    await expect(stored(job)).resolves.toMatchObject({ generation: later.generation });
  });

  it.each(['blobs', 'fragments'] as const)('is finished by the next worker when one died at the %s', async (at) => {
    const [job, beside] = await indexTwo();
    const died = (): Promise<never> => Promise.reject(new Error('the process is gone'));
    const dying = {
      blobs: at === 'blobs' ? { ...worker.blobs, removeAll: died } : worker.blobs,
      fragmentStore: { ...worker.fragmentStore, removeDatasource: died, removeDatastore: died },
    };
    await expect(handleRemoveDatasource(dying, job)).rejects.toThrow('gone');
    await handleRemoveDatasource(worker, job);
    await expect(stored(job)).resolves.toBeUndefined();
    await expect(worker.blobs.read(job.blobKey)).rejects.toThrow('there is no blob');
    await expect(handleRemoveDatastore(dying, beside)).rejects.toThrow('gone');
    await handleRemoveDatastore(worker, beside);
    await expect(stored(beside)).resolves.toBeUndefined();
    await expect(worker.blobs.read('organization/datastore/another/blob')).rejects.toThrow('there is no blob');
  });

  it('a document takes its fragments and leaves the rest of its datasource', async () => {
    const job = await worker.upload(TEXT, { documentKey: 'a' });
    const beside = await worker.upload(TEXT, { documentKey: 'b' });
    await worker.index(job);
    await worker.index(beside);
    const { organizationId, datastoreId, datasourceId, runId, generation, documentKey } = job;
    const removal = { organizationId, datastoreId, datasourceId, runId, generation, documentKey };
    await handleRemoveDocument(worker, removal);
    await worker.queues.producer(ingestionQueue).add('remove-document', removal);
    await worker.queues.drain();
    expect(worker.queues.failed(ingestionQueue)).toEqual([]);
    await expect(stored(job)).resolves.toBeUndefined();
    await expect(stored(beside)).resolves.toBeDefined();
  });
});
