import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openFileBlobStore } from '@quarry/blob-store-file';
import { createInMemoryBlobStore } from '@quarry/blob-store/testing';
import type { EmbeddingSettings } from '@quarry/contracts';
import { createEmbedderOpener } from '@quarry/embedder-factory';
import { silentLog } from '@quarry/queue/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { removeDocument } from '../handlers/remove-content.js';
import { COUNTED, startCountingProvider, type CountingProvider } from '../testing/counting-provider.js';
import { forkTypescript } from '../testing/fork-typescript.js';
import { startWorkerUnderTest, type WorkerUnderTest } from '../testing/worker-under-test.js';
import { VectorCache } from './vector-cache.js';

/** Number of paragraphs of the test document. Each becomes a fragment, and the embedder sends 32 texts per request. */
const PARAGRAPHS = 200;
const buildText = (change = ''): string =>
  Array.from({ length: PARAGRAPHS }, (_, index) => `Paragraph ${index}${change}. ${'word '.repeat(40)}`).join('\n\n');
const JOB = { embedding: COUNTED, splitting: { maxTokens: 64, overlapTokens: 0 } };

let provider: CountingProvider;
let folder: string;
beforeEach(async () => {
  provider = await startCountingProvider();
  folder = await mkdtemp(join(tmpdir(), 'quarry-vectors-'));
});
afterEach(async () => {
  await provider.close();
  await rm(folder, { recursive: true });
});

async function startWorker(more: Parameters<typeof startWorkerUnderTest>[0] = {}): Promise<WorkerUnderTest> {
  const worker = startWorkerUnderTest({
    blobs: await openFileBlobStore(folder),
    getEmbedder: createEmbedderOpener({ address: { provider: 'openai', baseUrl: provider.baseUrl } }),
    ...more,
  });
  onTestFinished(() => worker.close());
  return worker;
}

/** Lists the file names of the blobs that contain cached vectors. */
async function listCachedParts(): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  return names.filter((name) => name.isFile() && name.parentPath.includes('/vectors/')).map(({ name }) => name);
}

const listRequestCounts = (): readonly number[] => [...provider.requestsByText.values()];

describe('a document that failed while it was embedded', { timeout: 60_000 }, () => {
  it('the worker embeds no text twice when a failed document is retried, and then removes the cached vectors of the document', async () => {
    provider.onRequest = (n) => {
      if (n === 5) throw new Error('unavailable');
    };
    const worker = await startWorker();
    await expect(worker.indexAndGetLastEvent(await worker.upload(buildText(), JOB))).resolves.toMatchObject({
      status: 'synched',
      fragments: PARAGRAPHS,
    });
    expect(listRequestCounts()).toEqual(Array<number>(PARAGRAPHS).fill(1));
    await expect(listCachedParts()).resolves.toEqual([]);
  });

  it('if a worker process is killed while it embeds a document, the next process continues and embeds no text again', async () => {
    const worker = await startWorker();
    const job = await worker.upload(buildText(), JOB);
    provider.onRequest = (n) => (n > 3 ? new Promise(() => undefined) : undefined);
    const process = forkTypescript(join(import.meta.dirname, '../testing/index-in-this-process.ts'), [
      folder,
      provider.baseUrl,
      JSON.stringify(job),
    ]);
    await expect.poll(async () => (await listCachedParts()).length, { timeout: 30_000 }).toBe(3);
    process.kill('SIGKILL');
    await once(process, 'exit');
    expect(process.signalCode).toBe('SIGKILL');

    provider.onRequest = () => undefined;
    await expect(worker.indexAndGetLastEvent(job)).resolves.toMatchObject({ status: 'synched', fragments: PARAGRAPHS });
    expect(listRequestCounts()).toEqual(Array<number>(PARAGRAPHS).fill(1));
    await expect(listCachedParts()).resolves.toEqual([]);
  });

  it('the worker reports a stored document as indexed, even if the cached vectors of the document cannot be removed', async () => {
    provider.onRequest = (n) => {
      if (n === 5) throw new Error('unavailable');
    };
    const removeAll = () => Promise.reject(new Error('the blob store is unavailable'));
    const worker = await startWorker({ blobs: { ...(await openFileBlobStore(folder)), removeAll } });
    await expect(worker.indexAndGetLastEvent(await worker.upload(buildText(), JOB))).resolves.toMatchObject({
      status: 'synched',
      counters: { indexed: 1 },
    });
    await expect(listCachedParts()).resolves.not.toEqual([]);
  });

  it('after the fragment store was unavailable, the worker does not embed a document again, even if the document is small', async () => {
    let isAway = true;
    const worker = await startWorker({
      wrapStore: (store) => ({
        ...store,
        replaceDocument: async (collection, version) => {
          if (isAway) throw new Error('the store is unavailable');
          await store.replaceDocument(collection, version);
        },
      }),
    });
    const job = await worker.upload('One paragraph.', JOB);
    await expect(worker.indexAndGetLastEvent(job)).resolves.toMatchObject({ status: 'error' });
    isAway = false;
    await expect(worker.indexAndGetLastEvent(await worker.upload('One paragraph.', JOB))).resolves.toMatchObject({
      status: 'synched',
    });
    expect(listRequestCounts()).toEqual([1]);
    await expect(listCachedParts()).resolves.toEqual([]);
  });

  it('however often a failing document changes, the worker caches vectors of at most two versions of the document', async () => {
    const worker = await startWorker();
    for (const change of ['a', 'b', 'c', 'd']) {
      let asked = 0;
      provider.onRequest = () => {
        asked += 1;
        if (asked > 4) throw new Error('unavailable');
      };
      await expect(worker.indexAndGetLastEvent(await worker.upload(buildText(change), JOB))).resolves.toMatchObject({
        status: 'error',
      });
    }
    // The cache holds vectors of at most two versions, because it discards unused vectors once they outnumber the used
    // ones.
    expect((await listCachedParts()).length).toBeLessThanOrEqual(2 * Math.ceil(PARAGRAPHS / 32));
    provider.onRequest = () => undefined;
    await worker.index(await worker.upload(buildText('d'), JOB));
    await expect(listCachedParts()).resolves.toEqual([]);
  });

  it.each(['a removal job removes the document', 'a later run finds no content of the document'])(
    'the worker removes the cached vectors of a failed document when %s',
    async (removed) => {
      provider.onRequest = (n) => {
        if (n > 4) throw new Error('unavailable');
      };
      const worker = await startWorker();
      const job = await worker.upload(buildText(), JOB);
      await expect(worker.indexAndGetLastEvent(job)).resolves.toMatchObject({ status: 'error' });
      expect(await listCachedParts()).not.toEqual([]);
      if (removed === 'a removal job removes the document') await removeDocument(worker, job);
      else {
        await worker.blobs.remove(job.blobKey);
        await worker.index({ ...job, runId: 'later' });
      }
      await expect(listCachedParts()).resolves.toEqual([]);
    },
  );
});

describe('a document whose vectors have the wrong dimensions', { timeout: 60_000 }, () => {
  it('if vectors have a wrong number of dimensions, the worker fails the document at the first attempt, and the message contains the expected and the actual number', async () => {
    const worker = await startWorker();
    const job = await worker.upload(buildText(), { ...JOB, embedding: { ...COUNTED, dimensions: 1_536 } });
    await expect(worker.indexAndGetLastEvent(job)).resolves.toMatchObject({
      status: 'error',
      code: 'embedding_dimensions_mismatch',
      message: 'expected vectors of 1536 dimensions from model counted, found 4',
    });
    expect(provider.countRequests()).toBeLessThanOrEqual(4);
    await expect(listCachedParts()).resolves.toEqual([]);
  });
});

describe('VectorCache', () => {
  const document = { organizationId: 'o', datastoreId: 'd', datasourceId: 's', documentKey: 'ключ / key' };
  const vector = Float32Array.of(1, -0.5, 0.25, 1e-30);

  it('the vector cache finds a vector only for the same document, model, number of dimensions and text', async () => {
    const blobs = createInMemoryBlobStore();
    const first = await VectorCache.openCache(blobs, document, { embedding: COUNTED, log: silentLog }, ['a']);
    first.addVectors([{ text: 'a', vector }], { isComplete: false });
    await first.writeAll();
    const openCache = (embedding: EmbeddingSettings, other = document) =>
      VectorCache.openCache(blobs, other, { embedding, log: silentLog }, ['a', 'b']);
    expect((await openCache(COUNTED)).findVector('a')).toEqual(vector);
    expect((await openCache(COUNTED)).findVector('b')).toBeUndefined();
    expect((await openCache(COUNTED, { ...document, documentKey: 'other' })).findVector('a')).toBeUndefined();
    expect((await openCache({ ...COUNTED, model: 'other' })).findVector('a')).toBeUndefined();
    expect((await openCache({ ...COUNTED, dimensions: 2 })).findVector('a')).toBeUndefined();
  });

  it('findEmbeddedLength returns how many UTF-16 code units of a truncated text were embedded, and undefined for other texts', async () => {
    const blobs = createInMemoryBlobStore();
    const openCache = () => VectorCache.openCache(blobs, document, { embedding: COUNTED, log: silentLog }, ['a', 'b']);
    const first = await openCache();
    const truncated = { text: 'a', vector, embeddedLength: 70_000 };
    first.addVectors([truncated, { text: 'b', vector }], { isComplete: false });
    await first.writeAll();
    const cache = await openCache();
    expect(['a', 'b', 'c'].map((text) => cache.findEmbeddedLength(text))).toEqual([70_000, undefined, undefined]);
    expect(cache.findVector('a')).toEqual(vector);
  });

  it('the vector cache logs a warning, and still finds the vectors, if they cannot be written to the blob store', async () => {
    const warnings: unknown[] = [];
    const log = { warn: (fields: object, message: string) => warnings.push([fields, message]) };
    const blobs = { ...createInMemoryBlobStore(), write: () => Promise.reject(new Error('no space left on device')) };
    const cache = await VectorCache.openCache(blobs, document, { embedding: COUNTED, log }, ['a']);
    cache.addVectors([{ text: 'a', vector }], { isComplete: false });
    await cache.writeAll();
    expect(cache.findVector('a')).toEqual(vector);
    expect(warnings).toEqual([
      [
        { err: new Error('no space left on device'), vectors: 1 },
        'vectors could not be cached: a retry embeds their texts again',
      ],
    ]);
    await cache.removeVectors();
  });
});
