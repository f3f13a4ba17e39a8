import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TruncatedText } from '@quarry/embedder';
import { describeEmbedder } from '@quarry/embedder/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTransformersEmbedder, type TransformersEmbedderSettings } from './index.js';
import { TINY_DIMENSIONS, writeTinyEmbeddingModel } from './testing/index.js';

let folder: string;
const openEmbedder = (more: Partial<TransformersEmbedderSettings> = {}) =>
  openTransformersEmbedder({ folder, download: false, model: 'tiny', dimensions: TINY_DIMENSIONS, ...more });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quarry-models-'));
  await writeTinyEmbeddingModel(join(folder, 'tiny'));
  await writeTinyEmbeddingModel(join(folder, 'broken'));
  await writeTinyEmbeddingModel(join(folder, 'unnamed'), 'output_0');
  await writeFile(join(folder, 'broken', 'onnx', 'model.onnx'), 'this is no model');
});
afterAll(async () => rm(folder, { recursive: true }));

describeEmbedder('a model of transformers.js', async () => ({
  embedder: openEmbedder(),
  close: async () => undefined,
}));

describe('a local model', () => {
  it('the local embedder adds the configured prefixes to questions and to passages', async () => {
    const plain = openEmbedder();
    const prefixed = openEmbedder({ queryPrefix: 'query: ', documentPrefix: 'passage: ' });
    const [[document], [expected]] = await Promise.all([
      prefixed.embedDocuments(['x']),
      plain.embedDocuments(['passage: x']),
    ]);
    expect(document).toEqual(expected);
    expect(await prefixed.embedQuery('x')).toEqual(await plain.embedQuery('query: x'));
  });

  it('the local embedder returns the vector of the first token if `pooling` is `cls`', async () => {
    const [one, other] = await openEmbedder({ pooling: 'cls' }).embedDocuments(['abc', 'xyz']);
    expect(one).toEqual(other);
  });

  it('the local embedder does not block the event loop while it computes', async () => {
    const embedder = openEmbedder();
    await embedder.embedQuery('x');
    let turns = 0;
    let isDone = false;
    const waitForEventLoop = (): void => {
      turns += 1;
      if (!isDone) setImmediate(waitForEventLoop);
    };
    waitForEventLoop();
    await embedder.embedDocuments(Array.from({ length: 64 }, () => 'long '.repeat(500)));
    isDone = true;
    // On the main thread, the model would allow only a few turns of the event loop per batch.
    expect(turns).toBeGreaterThan(1_000);
  });

  it('the local embedder embeds a text of any length', async () => {
    await expect(openEmbedder().embedDocuments(['long '.repeat(20_000)])).resolves.toHaveLength(1);
  });

  it('the local embedder reports each text that exceeds the limit of the model, before it reports the vector of the text', async () => {
    const long = 'abcdefghij '.repeat(100);
    const truncated: TruncatedText[] = [];
    const order: string[] = [];
    await openEmbedder({ documentPrefix: 'passage: ' }).embedDocuments(['short', long, 'a '.repeat(500)], {
      onTruncated: (text) => {
        truncated.push(text);
        order.push('truncated');
      },
      onEmbedded: (part) => {
        if (part.some(({ index }) => index === 1)) order.push('embedded');
      },
    });
    // Each character except a space is a token, and two more tokens mark the start and the end.
    const length = 'passage: '.length + long.length;
    const tokens = 'passage:'.length + 1_000 + 2;
    expect(truncated).toEqual([{ index: 1, embedded: Math.floor((length * 512) / tokens), length }]);
    expect(order).toEqual(['truncated', 'embedded']);
  });

  it.each([
    [
      'is not in the folder',
      { model: 'absent' },
      'embedder_refused',
      /expected the model absent in a subfolder of its name/,
    ],
    ['has a name that leads outside the folder', { model: '../tiny' }, 'embedder_refused', /found none/],
    ['cannot be read', { model: 'broken' }, 'embedder_refused', /broken was not loaded/],
    [
      'has no output of an expected name',
      { model: 'unnamed' },
      'embedder_refused',
      /expected an output last_hidden_state or token_embeddings or logits in onnx\/model.onnx, found output_0/,
    ],
    [
      'has another number of dimensions',
      { dimensions: 8 },
      'embedding_dimensions_mismatch',
      /8 dimensions from model \w+, found 16/,
    ],
  ])('the local embedder throws EmbeddingFailed if the model %s', async (_case, settings, code, message) => {
    const embedding = openEmbedder(settings).embedDocuments(['x']);
    await expect(embedding).rejects.toMatchObject({ name: 'EmbeddingFailed', code });
    await expect(embedding).rejects.toThrow(message);
  });

  it('if a model was missing at the first call, the local embedder loads it at a later call', async () => {
    const embedder = openEmbedder({ model: 'late' });
    await expect(embedder.embedQuery('x')).rejects.toThrow('found none');
    await writeTinyEmbeddingModel(join(folder, 'late'));
    await expect(embedder.embedQuery('x')).resolves.toHaveLength(TINY_DIMENSIONS);
  });
});
