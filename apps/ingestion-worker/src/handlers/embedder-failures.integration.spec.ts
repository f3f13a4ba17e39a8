import { REASONS } from '@quarry/contracts';
import { EmbeddingFailed } from '@quarry/embedder';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  TEXT,
  EMBEDDING,
  selectDeterministicEvents,
  useWorkers,
  type WorkerUnderTest,
} from '../testing/worker-under-test.js';

const start = useWorkers();
let worker: WorkerUnderTest;
beforeEach(() => {
  worker = start();
});

describe('a document whose embedding fails', { timeout: 60_000 }, () => {
  it('the worker retries a document while the embedder is unavailable, and the events of later attempts have higher sequence numbers', async () => {
    const job = await worker.upload(TEXT, { embedding: EMBEDDING });
    worker.onNextEmbedding(async () => {
      await worker.waitForRunningEvent(job);
      throw new EmbeddingFailed('embedder_unavailable', 'the embedder is unavailable');
    });
    const events = await worker.index(job);
    expect(events.at(-1)?.payload).toMatchObject({ status: 'synched', fragments: 1 });
    const sequences = events.flatMap(({ payload }) => ('sequence' in payload ? [payload.sequence] : []));
    expect(new Set(sequences).size).toBe(sequences.length);
    expect(Math.min(...sequences)).toBe(10_001);
    // On a slow machine, the event `running` can come after progress events, but never after the attempt's last event.
    const firstAttempt = sequences.slice(0, sequences.indexOf(19_999) + 1);
    expect(Math.max(...firstAttempt)).toBe(19_999);
    expect(sequences.slice(firstAttempt.length).every((sequence) => sequence > 20_000)).toBe(true);
    expect(sequences.at(-1)).toBe(29_999);
  });

  it('the worker emits the reason why it retries a document, whether the run has one document or several documents', async () => {
    const rejectAsUnavailable = async (): Promise<never> =>
      Promise.reject(new EmbeddingFailed('embedder_unavailable', 'the embedder is unavailable'));
    const lastError = { code: 'embedder_unavailable', message: 'the embedder is unavailable', attempt: 1 };
    const job = await worker.upload(TEXT, { embedding: EMBEDDING });
    worker.onNextEmbedding(rejectAsUnavailable);
    const events = await worker.index(job);
    expect(events.find(({ name }) => name === 'run-retrying')?.payload).toMatchObject({ sequence: 19_999, lastError });
    const part = await worker.upload(TEXT, { embedding: EMBEDDING, documentKey: 'part', partOfRun: true });
    worker.onNextEmbedding(rejectAsUnavailable);
    expect((await worker.index(part)).map(({ payload }) => payload)).toMatchObject([
      { documentKey: 'part', lastError },
      { documentKey: 'part', outcome: 'indexed' },
    ]);
  });

  it('if the fragment store fails, the worker emits `internal_error` without details of the failure', async () => {
    const broken = start({
      wrapStore: (store) => ({
        ...store,
        readStoredDocument: async () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:6333')),
      }),
    });
    const events = await broken.index(await broken.upload(TEXT));
    expect(selectDeterministicEvents(events).map(({ payload }) => payload)).toMatchObject([
      ...[1, 2, 3, 4].map((attempt) => ({ lastError: { code: 'internal_error', attempt } })),
      { status: 'error', code: 'attempts_exhausted', message: REASONS.attempts_exhausted },
    ]);
    expect(JSON.stringify(events)).not.toContain('10.0.0.7');
  });

  it('the worker fails the document with the embedder’s error code if the embedder stays unavailable', async () => {
    const job = await worker.upload(TEXT, { embedding: EMBEDDING });
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      worker.onNextEmbedding(() =>
        Promise.reject(new EmbeddingFailed('embedder_unavailable', 'the embedder is unavailable')),
      );
    }
    await expect(worker.indexAndGetLastEvent(job)).resolves.toMatchObject({
      status: 'error',
      code: 'embedder_unavailable',
      message: 'the embedder is unavailable',
    });
    expect(worker.countEmbeddingCalls()).toBe(5);
  });

  it('the worker fails the document at the first attempt if the embedder rejects the request', async () => {
    const job = await worker.upload(TEXT, { embedding: EMBEDDING });
    worker.onNextEmbedding(() => Promise.reject(new EmbeddingFailed('embedder_refused', '401 Incorrect API key')));
    await expect(worker.indexAndGetLastEvent(job)).resolves.toMatchObject({
      code: 'embedder_refused',
      message: '401 Incorrect API key',
    });
    expect(worker.countEmbeddingCalls()).toBe(1);
  });

  it('the worker fails the document if no embedder is configured', async () => {
    const without = start({ getEmbedder: () => undefined });
    const job = await without.upload(TEXT, { embedding: EMBEDDING });
    await expect(without.indexAndGetLastEvent(job)).resolves.toMatchObject({ code: 'embedder_not_configured' });
  });

  it('the worker fails the document if the vectors of the embedder have another number of dimensions than the datastore requires', async () => {
    const job = await worker.upload(TEXT, { embedding: { ...EMBEDDING, dimensions: 128 } });
    await expect(worker.indexAndGetLastEvent(job)).resolves.toMatchObject({ code: 'embedding_dimensions_mismatch' });
  });
});
