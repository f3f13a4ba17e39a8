import { parse } from '@quarry/validation';
import { describe, expect, it } from 'vitest';
import { readEmbeddingSources, EmbeddingVariables } from './index.js';

const readSources = (variables: Partial<EmbeddingVariables>) =>
  readEmbeddingSources(Object.assign(new EmbeddingVariables(), variables));

describe('the environment variables of embedding', () => {
  it('readEmbeddingSources returns undefined if neither a provider nor a folder of models is set', () => {
    expect(readSources({ QUARRY_EMBEDDING_QUERY_PREFIX: 'query: ' })).toBeUndefined();
  });

  it('readEmbeddingSources returns the address of a provider, a folder of local models, or both', () => {
    const address = { QUARRY_EMBEDDING_BASE_URL: 'http://tei:80/v1', QUARRY_EMBEDDING_API_KEY: 'k' };
    const folder = { QUARRY_EMBEDDING_FOLDER: 'models', QUARRY_EMBEDDING_DOWNLOAD: true };
    expect(readSources(address)).toEqual({
      address: { provider: 'openai', baseUrl: 'http://tei:80/v1', apiKey: 'k' },
    });
    expect(readSources(folder)).toEqual({ local: { folder: 'models', download: true, pooling: 'mean' } });
    expect(readSources({ ...address, ...folder })).toMatchObject({ address: {}, local: { download: false } });
  });

  it('readEmbeddingSources returns the limits of each model for the number of texts per request and for the length of a text', () => {
    const found = readSources({
      QUARRY_EMBEDDING_BASE_URL: 'http://tei:80/v1',
      QUARRY_EMBEDDING_BATCH_SIZE: 'bge-m3=8,16',
      QUARRY_EMBEDDING_MAX_TEXT_LENGTH: 'intfloat/e5=1800',
    });
    expect(found).toMatchObject({
      batchSize: { default: 16, models: new Map([['bge-m3', 8]]) },
      maxTextLength: { default: undefined, models: new Map([['intfloat/e5', 1_800]]) },
    });
  });

  it.each(['0', '-1', 'many', 'bge-m3=', '16,', '8 16'])(
    'EmbeddingVariables rejects the value %j of `QUARRY_EMBEDDING_BATCH_SIZE`',
    (QUARRY_EMBEDDING_BATCH_SIZE) => {
      expect(() => parse(EmbeddingVariables, { QUARRY_EMBEDDING_BATCH_SIZE }, 'ignore')).toThrow(
        'QUARRY_EMBEDDING_BATCH_SIZE',
      );
    },
  );

  it('readEmbeddingSources requires no address for the provider `google`', () => {
    const google = { QUARRY_EMBEDDING_PROVIDER: 'google', QUARRY_EMBEDDING_API_KEY: 'k' } as const;
    expect(readSources(google)).toEqual({ address: { provider: 'google', apiKey: 'k' } });
    expect(readSources({ ...google, QUARRY_EMBEDDING_BASE_URL: 'http://fake' })).toEqual({
      address: { provider: 'google', baseUrl: 'http://fake', apiKey: 'k' },
    });
  });
});
