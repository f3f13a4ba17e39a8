import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RerankingFailed } from '@quarry/embedder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTransformersReranker } from './index.js';
import { writeTinyRerankingModel } from './testing/index.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-models-'));
  await writeTinyRerankingModel(join(folder, 'tiny'));
});
afterAll(async () => rm(folder, { recursive: true }));

describe('a local cross-encoder', () => {
  it('the local reranker returns a score for each text in the given order', async () => {
    const reranker = openTransformersReranker({ folder, download: false, model: 'tiny' });
    const texts = Array.from({ length: 20 }, (_, at) => `text ${'z'.repeat(at % 7)}`);
    const scores = await reranker.rerank('which?', texts);
    expect(scores).toHaveLength(20);
    for (const [at, score] of scores.entries()) expect(score).toBeCloseTo(1 / (1 + Math.exp(-(at % 7))), 4);
  });

  it('the local reranker returns an empty list of scores for an empty list of texts', async () => {
    const reranker = openTransformersReranker({ folder, download: false, model: 'absent' });
    expect(await reranker.rerank('which?', [])).toEqual([]);
  });

  it('the local reranker throws RerankingFailed if the model is missing', async () => {
    const reranker = openTransformersReranker({ folder, download: false, model: 'absent' });
    await expect(reranker.rerank('which?', ['x'])).rejects.toThrow(RerankingFailed);
  });

  it('if the signal is aborted, the local reranker throws the abort reason', async () => {
    const reranker = openTransformersReranker({ folder, download: false, model: 'tiny' });
    const signal = AbortSignal.abort(new Error('aborted by the caller'));
    await expect(reranker.rerank('which?', ['x'], { signal })).rejects.toThrow('aborted by the caller');
  });
});
