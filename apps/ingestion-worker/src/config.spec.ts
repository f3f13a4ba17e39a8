import { describe, expect, it } from 'vitest';
import { readConfig } from './config.js';

const SHARED = {
  QUARRY_QUEUE_URL: 'redis://queues:6379',
  QUARRY_BLOB_URL: 'file:///data/blobs',
  QUARRY_GATEWAY_URL: 'http://gateway',
  QUARRY_INTERNAL_TOKEN: 'token',
};
const REQUIRED = { ...SHARED, QUARRY_LANCEDB_DIR: '/data/fragments' };

describe('readConfig', () => {
  it('readConfig returns default values for all settings except addresses and paths', () => {
    expect(readConfig(REQUIRED)).toMatchObject({
      port: 3002,
      queueUrl: 'redis://queues:6379',
      gateway: { url: 'http://gateway', token: 'token' },
      fragments: { kind: 'lancedb', directory: '/data/fragments' },
      settings: {
        concurrency: 12,
        reading: { processes: 2, memoryMb: 1_024, timeoutMs: 120_000 },
        embedding: undefined,
      },
    });
  });

  it('readConfig reads the settings of Qdrant and of an embedder', () => {
    const config = readConfig({
      ...SHARED,
      QDRANT_URL: 'http://qdrant:6333',
      QUARRY_EMBEDDING_BASE_URL: 'http://tei:8080/v1',
      QUARRY_EMBEDDING_DOCUMENT_PREFIX: 'passage: ',
    });
    expect(config.fragments).toMatchObject({ kind: 'qdrant', url: 'http://qdrant:6333', apiKey: undefined });
    expect(config.settings.embedding).toEqual({
      address: { provider: 'openai', baseUrl: 'http://tei:8080/v1' },
      documentPrefix: 'passage: ',
    });
  });

  it('readConfig throws one error that names all missing and invalid variables', () => {
    const wrong = { QUARRY_QUEUE_URL: 'queues', QUARRY_READING_PROCESSES: 'many', QUARRY_EMBEDDING_BASE_URL: 'tei' };
    expect(() => readConfig(wrong)).toThrow(
      /(?=[^]*QUARRY_QUEUE_URL)(?=[^]*QUARRY_BLOB_URL)(?=[^]*QUARRY_GATEWAY_URL)(?=[^]*QUARRY_INTERNAL_TOKEN)(?=[^]*QUARRY_READING_PROCESSES)(?=[^]*QUARRY_EMBEDDING_BASE_URL)/,
    );
  });

  it.each([
    ['neither', {}],
    ['both', { QUARRY_LANCEDB_DIR: '/data/fragments', QDRANT_URL: 'http://qdrant:6333' }],
  ])('readConfig requires exactly one of LanceDB and Qdrant as the fragment store, and refuses %s', (found, where) => {
    expect(() => readConfig({ ...SHARED, ...where })).toThrow(`found ${found}`);
  });
});
