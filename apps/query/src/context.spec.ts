import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.js';
import { openContext } from './context.js';

const EMBEDDING = { model: 'm', dimensions: 3, distance: 'cosine' } as const;

describe('openContext', () => {
  it('openContext opens the configured fragment store, opens no model if none is configured, and opens one embedder for equal embedding settings', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'quarry-query-'));
    const variables = { QUARRY_INTERNAL_TOKEN: 't', QUARRY_LANCEDB_DIR: directory, QUARRY_LOG_LEVEL: 'silent' };
    const context = await openContext(readConfig({ ...variables, QUARRY_EMBEDDING_BASE_URL: 'http://127.0.0.1:9/v1' }));
    await expect(context.fragmentStore.ping()).resolves.toBeUndefined();
    expect((await context.models.connect([])).choose(undefined)).toBeUndefined();
    expect(context.getEmbedder(EMBEDDING)).toMatchObject({ model: 'm', dimensions: 3 });
    expect(context.getEmbedder({ ...EMBEDDING })).toBe(context.getEmbedder(EMBEDDING));
    expect(context.getEmbedder({ ...EMBEDDING, dimensions: 4 })).toMatchObject({ dimensions: 4 });
    await context.fragmentStore.close();
    await rm(directory, { recursive: true });
  });

  it('openContext opens no embedder if no embedding address is configured', async () => {
    const variables = { QUARRY_INTERNAL_TOKEN: 't', QDRANT_URL: 'http://127.0.0.1:9', QUARRY_LOG_LEVEL: 'silent' };
    const context = await openContext(readConfig(variables));
    expect(context.getEmbedder(EMBEDDING)).toBeUndefined();
    await context.fragmentStore.close();
  });
});
