import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import { EmbeddingFailed } from '@quarry/embedder';
import { describeProviderEmbedder } from '@quarry/embedder/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGoogleEmbedder, type GoogleEmbedderSettings } from './google-embedder.js';
import { getFieldOrUndefined } from './get-field-or-undefined.js';
import { createFakeClock } from './testing/fake-clock.js';
import {
  createJsonAnswer,
  omitResponse,
  startFakeProvider,
  type FakeProvider,
  type Protocol,
} from './testing/fake-embedding-provider.js';

const DIMENSIONS = 64;

/** The protocol of Google's API. Source: documentation of `models.batchEmbedContents`. */
const GOOGLE: Protocol = {
  listTexts: (path, body) => {
    expect(path).toBe('/v1beta/models/gemini-embedding-001:batchEmbedContents');
    const requests = getFieldOrUndefined(body, 'requests');
    if (!Array.isArray(requests)) throw new Error('expected a list `requests` in the body');
    return requests.map((request) => {
      expect(getFieldOrUndefined(request, 'model')).toBe('models/gemini-embedding-001');
      const parts = getFieldOrUndefined(getFieldOrUndefined(request, 'content'), 'parts');
      return Array.isArray(parts) ? getFieldOrUndefined(parts[0], 'text') : undefined;
    });
  },
  answer: (vectors) => ({ embeddings: vectors.map((values) => ({ values })) }),
};

const createErrorAnswer = (status: number, message: string, details: readonly unknown[] = []) =>
  createJsonAnswer(status, { error: { code: status, message, status: 'SOME_STATUS', details } });

describeProviderEmbedder("Google's address", async () => {
  const provider = await startFakeProvider(DIMENSIONS, GOOGLE);
  return {
    embedder: openGoogleEmbedder(
      { baseUrl: provider.baseUrl, model: 'gemini-embedding-001', dimensions: DIMENSIONS },
      createFakeClock(),
    ),
    provider: {
      requestDelayOnce: () => {
        provider.answerNext(createJsonAnswer(429, {}, { 'retry-after': '3' }));
      },
      rejectOnce: () => {
        provider.answerNext(createErrorAnswer(400, 'no'));
      },
    },
    close: () => provider.close(),
  };
});

describe('the embedder for Google', () => {
  let provider: FakeProvider;
  let clock: ReturnType<typeof createFakeClock>;
  beforeEach(async () => {
    provider = await startFakeProvider(DIMENSIONS, GOOGLE);
    clock = createFakeClock();
  });
  afterEach(async () => provider.close());

  const openEmbedder = (more: Partial<GoogleEmbedderSettings> = {}) =>
    openGoogleEmbedder(
      { baseUrl: provider.baseUrl, model: 'gemini-embedding-001', dimensions: DIMENSIONS, ...more },
      clock,
    );
  const catchFailure = (embedding: Promise<unknown>): Promise<unknown> =>
    embedding.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );

  it('the embedder for Google sends the task type, the number of dimensions, and the API key in a header', async () => {
    const embedder = openEmbedder({ apiKey: 'the-key' });
    await embedder.embedDocuments(['a passage']);
    await embedder.embedQuery('a question');
    expect(provider.requests.map(({ headers }) => headers['x-goog-api-key'])).toEqual(['the-key', 'the-key']);
    const sent = provider.requests.map(({ body }) => body['requests']);
    expect(sent).toMatchObject([
      [{ taskType: 'RETRIEVAL_DOCUMENT', outputDimensionality: DIMENSIONS }],
      [{ taskType: 'RETRIEVAL_QUERY', outputDimensionality: DIMENSIONS }],
    ]);
  });

  it('the embedder for Google accepts the name of a model with and without the prefix `models/`', async () => {
    await expect(openEmbedder({ model: 'models/gemini-embedding-001' }).embedDocuments(['x'])).resolves.toHaveLength(1);
  });

  it('the embedder for Google waits for the delay that the body of a 429 response requires', async () => {
    const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' };
    provider.answerNext(createErrorAnswer(429, 'Resource has been exhausted', [{ '@type': 'other' }, info]));
    await openEmbedder().embedDocuments(['x']);
    expect(clock.waits).toEqual([34_500]);
  });

  it('the embedder for Google retries a request if the connection breaks, the request times out, or the status is 503', async () => {
    provider.answerNext((response) => response.destroy(), omitResponse, createErrorAnswer(503, 'overloaded'));
    await expect(openEmbedder({ timeoutMs: 1_000 }).embedDocuments(['x'])).resolves.toHaveLength(1);
    expect(provider.requests).toHaveLength(4);
  });

  it('the embedder for Google redacts the API key in an error of the provider that quotes the key', async () => {
    provider.answerNext(createErrorAnswer(400, 'The key key-of-the-test is not valid.'));
    const failure = await catchFailure(openEmbedder({ apiKey: 'key-of-the-test' }).embedDocuments(['x']));
    expect(inspect(failure)).toContain('The key [redacted] is not valid.');
    expect(inspect(failure)).not.toContain('key-of-the-test');
  });

  it('the embedder for Google does not retry a rejected request, and reports the reason that the provider returned', async () => {
    provider.answerNext(createErrorAnswer(400, 'API key not valid. Please pass a valid API key.'));
    await expect(catchFailure(openEmbedder().embedDocuments(['x']))).resolves.toMatchObject({
      name: 'EmbeddingFailed',
      code: 'embedder_refused',
      message: '400 API key not valid. Please pass a valid API key.',
    });
    expect(provider.requests).toHaveLength(1);
  });

  it('the embedder for Google reads only the beginning of the body of an error response', async () => {
    const chunks = Readable.from(Array.from({ length: 1_024 }, () => 'Refused '.repeat(5_000)));
    const closed = Promise.withResolvers<unknown>();
    provider.answerNext((response) => void chunks.pipe(response.writeHead(400).once('close', closed.resolve)));
    const failure = await catchFailure(openEmbedder().embedDocuments(['x']));
    expect(String(failure)).toMatch(/400 Refused Refused/);
    await closed.promise;
    expect(chunks.readableEnded).toBe(false);
  });

  it.each([
    ['an HTML page', '<html>hello</html>'],
    ['an object without vectors', { ok: true }],
    ['too few vectors', { embeddings: [] }],
    ['a vector of texts', { embeddings: [{ values: ['1'] }] }],
  ])('the embedder for Google retries a request whose response is %s', async (_, answer) => {
    provider.answerNext(createJsonAnswer(200, answer));
    await expect(openEmbedder().embedDocuments(['x'])).resolves.toHaveLength(1);
    expect(provider.requests).toHaveLength(2);
  });

  it('the embedder for Google throws an error if the vectors have another number of dimensions than configured', async () => {
    const error = await catchFailure(openEmbedder({ dimensions: 768 }).embedDocuments(['x']));
    expect(error).toBeInstanceOf(EmbeddingFailed);
    expect(error).toMatchObject({
      code: 'embedding_dimensions_mismatch',
      message: 'expected vectors of 768 dimensions from model gemini-embedding-001, found 64',
    });
  });

  it('the embedder for Google stops a call when the signal of the call is aborted', async () => {
    const leaving = new AbortController();
    provider.answerNext(() => {
      leaving.abort(new Error('aborted by the caller'));
    });
    await expect(openEmbedder().embedDocuments(['x'], { signal: leaving.signal })).rejects.toThrow(
      'aborted by the caller',
    );
  });
});
