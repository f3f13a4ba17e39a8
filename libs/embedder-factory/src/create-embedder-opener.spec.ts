import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TINY_DIMENSIONS, writeTinyEmbeddingModel } from '@quarry/embedder-transformers/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEmbedderOpener } from './create-embedder-opener.js';

describe('opening embedders', () => {
  it('createEmbedderOpener opens one embedder for each pair of a model and a number of dimensions', () => {
    const getEmbedder = createEmbedderOpener({ address: { provider: 'openai', baseUrl: 'http://127.0.0.1:1/v1' } });
    const first = getEmbedder({ model: 'a', dimensions: 8 });
    expect(first).toMatchObject({ model: 'a', dimensions: 8 });
    expect(getEmbedder({ model: 'a', dimensions: 8 })).toBe(first);
    expect(getEmbedder({ model: 'a', dimensions: 16 })).not.toBe(first);
  });

  it('the function that createEmbedderOpener returns yields undefined if no source of embeddings is configured', () => {
    expect(createEmbedderOpener(undefined)({ model: 'a', dimensions: 8 })).toBeUndefined();
  });

  it('an embedder runs a model of the models folder locally, and requests the vectors of any other model from the provider', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quarry-models-'));
    onTestFinished(async () => rm(folder, { recursive: true }));
    await writeTinyEmbeddingModel(join(folder, 'tiny'));
    const getEmbedder = createEmbedderOpener({
      local: { folder, download: false, pooling: 'mean' },
      address: { provider: 'openai', baseUrl: 'http://127.0.0.1:1/v1' },
    });
    const local = getEmbedder({ model: 'tiny', dimensions: TINY_DIMENSIONS });
    await expect(local?.embedQuery('x')).resolves.toHaveLength(TINY_DIMENSIONS);
    const remote = getEmbedder({ model: 'other', dimensions: 8 });
    const leaving = AbortSignal.timeout(50);
    await expect(remote?.embedQuery('x', { signal: leaving })).rejects.not.toThrow('folder');
  });

  it('without a provider address, an embedder throws an error if its model is not in the models folder', async () => {
    const getEmbedder = createEmbedderOpener({ local: { folder: '/nowhere', download: false, pooling: 'mean' } });
    await expect(getEmbedder({ model: 'a', dimensions: 8 })?.embedQuery('x')).rejects.toThrow('found none');
  });

  it('an embedder calls the Gemini API if the configured provider is `google`', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer(({ url }, response) => {
      asked.push(url);
      response.end(JSON.stringify({ embeddings: [{ values: [3, 4] }] }));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
    const embedder = createEmbedderOpener({ address: { provider: 'google', baseUrl, apiKey: 'k' } })({
      model: 'm',
      dimensions: 2,
    });
    await expect(embedder?.embedQuery('x')).resolves.toEqual(Float32Array.of(0.6, 0.8));
    expect(asked).toEqual(['/v1beta/models/m:batchEmbedContents']);
  });
});
