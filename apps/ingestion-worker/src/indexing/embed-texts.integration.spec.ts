import { createInMemoryBlobStore } from '@quarry/blob-store/testing';
import { createEmbedderOpener } from '@quarry/embedder-factory';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COUNTED, startCountingProvider, type CountingProvider } from '../testing/counting-provider.js';
import { useWorkers } from '../testing/worker-under-test.js';
import { embedTexts } from './embed-texts.js';
import { VectorCache } from './vector-cache.js';

const MAX_TEXTS = 5;
const MAX_TEXT_LENGTH = 1_000;

const start = useWorkers();
let provider: CountingProvider;
beforeEach(async () => {
  provider = await startCountingProvider();
  provider.accepts = (texts) => texts.length <= MAX_TEXTS && texts.every(({ length }) => length <= MAX_TEXT_LENGTH);
});
afterEach(() => provider.close());

const getEmbedder = () => createEmbedderOpener({ address: { provider: 'openai', baseUrl: provider.baseUrl } });

describe('embedding with limits on batch size and text length', { timeout: 60_000 }, () => {
  it('the worker embeds every fragment of a long document', async () => {
    const worker = start({ getEmbedder: getEmbedder() });
    const paragraphs = Array.from({ length: 40 }, (_, at) => `Paragraph ${at}. ${'word '.repeat(400)}`).join('\n\n');
    const job = await worker.upload(paragraphs, {
      embedding: COUNTED,
      splitting: { maxTokens: 512, overlapTokens: 0 },
    });
    await expect(worker.indexAndGetLastEvent(job)).resolves.toMatchObject({ status: 'synched', fragments: 40 });
    expect([...provider.requestsByText.values()]).toEqual(Array<number>(40).fill(1));
  });

  it('the worker reports the number of truncated fragments, whether the run has one document or several documents', async () => {
    const worker = start({ getEmbedder: getEmbedder() });
    const long = 'word '.repeat(400);
    const splitting = { maxTokens: 512, overlapTokens: 0 };
    const job = await worker.upload(`${long}\n\nshort\n\n${long}`, { embedding: COUNTED, splitting });
    await expect(worker.indexAndGetLastEvent(job)).resolves.toMatchObject({ status: 'synched', truncatedFragments: 2 });
    const part = await worker.upload(`${long} ends`, {
      embedding: COUNTED,
      splitting,
      documentKey: 'b',
      partOfRun: true,
    });
    await expect(worker.indexAndGetLastEvent(part)).resolves.toMatchObject({
      outcome: 'indexed',
      truncatedFragments: 1,
    });
    const short = await worker.upload('A short text.', { embedding: COUNTED, splitting, documentKey: 'c' });
    await expect(worker.indexAndGetLastEvent(short)).resolves.not.toHaveProperty('truncatedFragments');
  });

  it('the number of truncated fragments that the worker reports includes fragments that an earlier attempt embedded', async () => {
    let attempts = 0;
    const worker = start({
      getEmbedder: getEmbedder(),
      wrapStore: (store) => ({
        ...store,
        replaceDocument: (collection, version) => {
          attempts += 1;
          if (attempts === 1) throw new Error('the store is unavailable');
          return store.replaceDocument(collection, version);
        },
      }),
    });
    const long = 'word '.repeat(400);
    const splitting = { maxTokens: 512, overlapTokens: 0 };
    const job = await worker.upload(`${long}\n\nshort\n\n${long}`, { embedding: COUNTED, splitting });
    await expect(worker.indexAndGetLastEvent(job)).resolves.toMatchObject({ status: 'synched', truncatedFragments: 2 });
    expect(attempts).toBe(2);
  });

  it('if a job crashes after it stored a document, the repeated job reports the truncated fragments, and then removes the cached vectors', async () => {
    const countCachedVectors = async (): Promise<number> => {
      let count = 0;
      for await (const key of worker.blobs.list('organization/')) count += key.includes('/vectors/') ? 1 : 0;
      return count;
    };
    const cached: number[] = [];
    const worker = start({
      getEmbedder: getEmbedder(),
      wrapStore: (store) => ({
        ...store,
        replaceDocument: async (collection, version) => {
          cached.push(await countCachedVectors());
          await store.replaceDocument(collection, version);
          throw new Error('the process crashed');
        },
      }),
    });
    const splitting = { maxTokens: 512, overlapTokens: 0 };
    const job = await worker.upload('word '.repeat(400), { embedding: COUNTED, splitting });
    await expect(worker.indexAndGetLastEvent(job)).resolves.toMatchObject({ status: 'synched', truncatedFragments: 1 });
    expect(cached).toEqual([1]);
    await expect(countCachedVectors()).resolves.toBe(0);
  });

  it('the worker logs one warning about truncated fragments, which names the setting `QUARRY_EMBEDDING_MAX_TEXT_LENGTH`', async () => {
    const warnings: unknown[] = [];
    const log = { warn: (fields: object, message: string) => warnings.push({ ...fields, message }) };
    const document = { organizationId: 'o', datastoreId: 'd', datasourceId: 's', documentKey: 'k' };
    const texts = ['short', 'a'.repeat(1_500), 'b'.repeat(1_600)];
    const vectors = await embedTexts(texts, {
      settings: COUNTED,
      getEmbedder: getEmbedder(),
      cache: await VectorCache.openCache(createInMemoryBlobStore(), document, { embedding: COUNTED, log }, texts),
      signal: new AbortController().signal,
      log,
      onProgress: () => undefined,
      onTruncated: () => undefined,
    });
    expect(vectors.map(({ length }) => length)).toEqual(texts.map(() => COUNTED.dimensions));
    expect(warnings).toEqual([
      {
        ...{ model: COUNTED.model, fragments: 2, index: 1, embedded: 750, length: 1_500 },
        message: expect.stringContaining('QUARRY_EMBEDDING_MAX_TEXT_LENGTH') as string,
      },
    ]);
  });
});
