import { EmbeddingFailed } from '@quarry/embedder';
import { describeEmbedder } from '@quarry/embedder/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGoogleEmbedder, type GoogleEmbedderSettings } from './google-embedder.js';
import { property } from './property.js';
import { fakeClock } from './testing/fake-clock.js';
import { answering, silent, startFakeProvider, type FakeProvider, type Wire } from './testing/fake-embedding-provider.js';

const DIMENSIONS = 64;

/** As Google's reference describes `models.batchEmbedContents`. */
const GOOGLE: Wire = {
  textsOf: (path, body) => {
    expect(path).toBe('/v1beta/models/gemini-embedding-001:batchEmbedContents');
    const requests = property(body, 'requests');
    if (!Array.isArray(requests)) throw new Error('a request has requests');
    return requests.map((request) => {
      expect(property(request, 'model')).toBe('models/gemini-embedding-001');
      const parts = property(property(request, 'content'), 'parts');
      return Array.isArray(parts) ? property(parts[0], 'text') : undefined;
    });
  },
  answer: (vectors) => ({ embeddings: vectors.map((values) => ({ values })) }),
};

const refusal = (status: number, message: string, details: readonly unknown[] = []) =>
  answering(status, { error: { code: status, message, status: 'SOME_STATUS', details } });

describeEmbedder("Google's address", async () => {
  const provider = await startFakeProvider(DIMENSIONS, GOOGLE);
  return {
    embedder: openGoogleEmbedder(
      { baseUrl: provider.baseUrl, model: 'gemini-embedding-001', dimensions: DIMENSIONS },
      fakeClock(),
    ),
    provider: {
      waitOnce: () => {
        provider.answerNext(answering(429, {}, { 'retry-after': '3' }));
      },
      refuseOnce: () => {
        provider.answerNext(refusal(400, 'no'));
      },
    },
    close: () => provider.close(),
  };
});

describe("Google's address", () => {
  let provider: FakeProvider;
  let clock: ReturnType<typeof fakeClock>;
  beforeEach(async () => {
    provider = await startFakeProvider(DIMENSIONS, GOOGLE);
    clock = fakeClock();
  });
  afterEach(async () => provider.close());

  const open = (more: Partial<GoogleEmbedderSettings> = {}) =>
    openGoogleEmbedder(
      { baseUrl: provider.baseUrl, model: 'gemini-embedding-001', dimensions: DIMENSIONS, ...more },
      clock,
    );
  const failureOf = (embedding: Promise<unknown>): Promise<unknown> =>
    embedding.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );

  it('sends its key in a header, and says what a text is embedded for and how long its vector is to be', async () => {
    const embedder = open({ apiKey: 'the-key' });
    await embedder.embedDocuments(['a passage']);
    await embedder.embedQuery('a question');
    expect(provider.requests.map(({ headers }) => headers['x-goog-api-key'])).toEqual(['the-key', 'the-key']);
    const sent = provider.requests.map(({ body }) => body['requests']);
    expect(sent).toMatchObject([
      [{ taskType: 'RETRIEVAL_DOCUMENT', outputDimensionality: DIMENSIONS }],
      [{ taskType: 'RETRIEVAL_QUERY', outputDimensionality: DIMENSIONS }],
    ]);
  });

  it('takes a model by its short name and by its full one', async () => {
    await expect(open({ model: 'models/gemini-embedding-001' }).embedDocuments(['x'])).resolves.toHaveLength(1);
  });

  it('waits as long as a 429 says in its body', async () => {
    const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34.5s' };
    provider.answerNext(refusal(429, 'Resource has been exhausted', [{ '@type': 'other' }, info]));
    await open().embedDocuments(['x']);
    expect(clock.waits).toEqual([34_500]);
  });

  it('repeats what is not answered, broken off, or answered too late', async () => {
    provider.answerNext((response) => response.destroy(), silent, refusal(503, 'overloaded'));
    await expect(open({ timeoutMs: 1_000 }).embedDocuments(['x'])).resolves.toHaveLength(1);
    expect(provider.requests).toHaveLength(4);
  });

  it('does not repeat a refusal, and gives its words', async () => {
    provider.answerNext(refusal(400, 'API key not valid. Please pass a valid API key.'));
    await expect(failureOf(open().embedDocuments(['x']))).resolves.toMatchObject({
      name: 'EmbeddingFailed',
      code: 'embedder_refused',
      message: '400 API key not valid. Please pass a valid API key.',
    });
    expect(provider.requests).toHaveLength(1);
  });

  it.each([
    ['a page', '<html>hello</html>'],
    ['another object', { ok: true }],
    ['too few vectors', { embeddings: [] }],
    ['no numbers', { embeddings: [{ values: ['1'] }] }],
  ])('repeats a request whose answer is %s', async (_, answer) => {
    provider.answerNext(answering(200, answer));
    await expect(open().embedDocuments(['x'])).resolves.toHaveLength(1);
    expect(provider.requests).toHaveLength(2);
  });

  it('says when vectors are not as long as configured', async () => {
    const error = await failureOf(open({ dimensions: 768 }).embedDocuments(['x']));
    expect(error).toBeInstanceOf(EmbeddingFailed);
    expect(error).toMatchObject({
      code: 'embedding_dimensions_mismatch',
      message: 'model gemini-embedding-001 is to give vectors of 768 dimensions, found 64',
    });
  });

  it('ends with the signal', async () => {
    const leaving = new AbortController();
    provider.answerNext(() => {
      leaving.abort(new Error('the caller left'));
    });
    await expect(open().embedDocuments(['x'], { signal: leaving.signal })).rejects.toThrow('the caller left');
  });
});
