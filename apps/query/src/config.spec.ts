import { describe, expect, it } from 'vitest';
import { readConfig } from './config.js';

const REQUIRED = { QUARRY_INTERNAL_TOKEN: 't', QUARRY_LANCEDB_DIR: '/data/fragments' };

describe('readConfig', () => {
  it('readConfig returns defaults for all settings except `QUARRY_INTERNAL_TOKEN` and the fragment store', () => {
    expect(readConfig(REQUIRED)).toMatchObject({
      host: '0.0.0.0',
      port: 3001,
      logLevel: 'info',
      internalToken: 't',
      fragments: { kind: 'lancedb', directory: '/data/fragments' },
      settings: {
        embedding: undefined,
        reranking: undefined,
        admissionLimits: { running: 16, waiting: 500, waitMs: 5_000 },
        denseWeight: 0.6,
        promptTokens: 12_000,
        rewriteMs: 2_000,
        models: { providers: {} },
      },
    });
  });

  it('readConfig reads the URL and the API key of Qdrant', () => {
    const { fragments } = readConfig({
      QUARRY_INTERNAL_TOKEN: 't',
      QDRANT_URL: 'http://qdrant:6333',
      QDRANT_API_KEY: 'k',
    });
    expect(fragments).toMatchObject({ kind: 'qdrant', url: 'http://qdrant:6333', apiKey: 'k' });
  });

  it('readConfig reads the settings of the embedding provider', () => {
    const embedding = { QUARRY_EMBEDDING_BASE_URL: 'http://tei:80/v1', QUARRY_EMBEDDING_QUERY_PREFIX: 'query: ' };
    expect(readConfig({ ...REQUIRED, ...embedding, QUARRY_DENSE_WEIGHT: '1' }).settings).toMatchObject({
      embedding: { address: { provider: 'openai', baseUrl: 'http://tei:80/v1' }, queryPrefix: 'query: ' },
      denseWeight: 1,
    });
  });

  it('readConfig reads the settings of the reranking provider', () => {
    const reranking = { QUARRY_RERANK_URL: 'http://tei:80/rerank', QUARRY_RERANK_FORM: 'tei' };
    expect(readConfig({ ...REQUIRED, ...reranking, QUARRY_RERANK_CANDIDATES: '50' }).settings.reranking).toEqual({
      source: { address: { form: 'tei', url: 'http://tei:80/rerank' } },
      candidates: 50,
      timeoutMs: 3_000,
    });
  });

  it.each([
    [{ QUARRY_INTERNAL_TOKEN: 't' }, /expected exactly one of QDRANT_URL and QUARRY_LANCEDB_DIR, found neither/],
    [{ ...REQUIRED, QDRANT_URL: 'http://qdrant:6333' }, /found both/],
    [{ QUARRY_LANCEDB_DIR: 'x' }, /QUARRY_INTERNAL_TOKEN/],
    [{ ...REQUIRED, QUARRY_DENSE_WEIGHT: '1.5' }, /QUARRY_DENSE_WEIGHT must not be greater than 1/],
    [
      { ...REQUIRED, QUARRY_RERANK_MODEL: 'm', QUARRY_MODEL: 'x' },
      /QUARRY_MODEL must be set[^]*QUARRY_RERANK_MODEL requires/,
    ],
    [{ ...REQUIRED, QUARRY_EMBEDDING_BASE_URL: 'tei' }, /QUARRY_EMBEDDING_BASE_URL must be a URL/],
  ])('readConfig rejects the environment %j', (environment, message) => {
    expect(() => readConfig(environment)).toThrow(message);
  });
});
