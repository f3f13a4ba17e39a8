import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTinyRerankingModel } from '@quarry/embedder-transformers/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openReranker } from './open-reranker.js';
import { startFakeReranker } from './testing/index.js';

describe('opening a reranker', () => {
  it('if the source is a local model, openReranker returns a reranker that runs this model', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quarry-models-'));
    onTestFinished(async () => rm(folder, { recursive: true }));
    await writeTinyRerankingModel(join(folder, 'tiny'));
    const reranker = openReranker({ local: { folder, model: 'tiny', download: false } });
    const [plain = 1, better = 0] = await reranker.rerank('which?', ['a text', 'a text zzz']);
    expect(better).toBeGreaterThan(plain);
  });

  it('if the source has an address, openReranker returns a reranker that sends requests to this address', async () => {
    const fake = await startFakeReranker(() => ({ body: [{ index: 0, score: 0.5 }] }));
    onTestFinished(() => fake.close());
    const reranker = openReranker({ address: { form: 'tei', url: fake.url } });
    expect(await reranker.rerank('which?', ['a text'])).toEqual([0.5]);
  });
});
