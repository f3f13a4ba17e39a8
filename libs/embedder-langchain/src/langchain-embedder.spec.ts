import { EmbeddingFailed } from '@quarry/embedder';
import { describeProviderEmbedder } from '@quarry/embedder/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLangChainEmbedder, type LangChainEmbedderSettings } from './langchain-embedder.js';
import { createFakeClock } from './testing/fake-clock.js';
import {
  createJsonAnswer,
  breakConnection,
  createErrorAnswer,
  omitResponse,
  startFakeProvider,
  type FakeProvider,
} from './testing/fake-embedding-provider.js';

const DIMENSIONS = 64;

describeProviderEmbedder('an OpenAI-compatible address', async () => {
  const provider = await startFakeProvider(DIMENSIONS);
  return {
    embedder: openLangChainEmbedder(
      { baseUrl: provider.baseUrl, model: 'fake', dimensions: DIMENSIONS },
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

describe('the embedder for OpenAI-compatible servers', () => {
  let provider: FakeProvider;
  let clock: ReturnType<typeof createFakeClock>;
  beforeEach(async () => {
    provider = await startFakeProvider(DIMENSIONS);
    clock = createFakeClock();
  });
  afterEach(async () => provider.close());

  const openEmbedder = (more: Partial<LangChainEmbedderSettings> = {}): ReturnType<typeof openLangChainEmbedder> =>
    openLangChainEmbedder({ baseUrl: provider.baseUrl, model: 'fake', dimensions: DIMENSIONS, ...more }, clock);

  const catchFailure = async (embedding: Promise<unknown>): Promise<EmbeddingFailed> => {
    const error: unknown = await embedding.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (error instanceof EmbeddingFailed) return error;
    throw new Error(`expected EmbeddingFailed, found ${String(error)}`);
  };

  it('the OpenAI-compatible embedder sends the configured API key, and no settings from environment variables', async () => {
    process.env['OPENAI_ORG_ID'] = 'another-organization';
    process.env['OPENAI_API_KEY'] = 'another-key';
    try {
      await openEmbedder({ apiKey: 'the-key' }).embedDocuments(['x']);
      await openEmbedder().embedDocuments(['x']);
    } finally {
      delete process.env['OPENAI_ORG_ID'];
      delete process.env['OPENAI_API_KEY'];
    }
    const [withKey, without] = provider.requests;
    expect(withKey?.headers.authorization).toBe('Bearer the-key');
    expect(without?.headers.authorization).toBeUndefined();
    expect(JSON.stringify(provider.requests)).not.toContain('another-');
  });

  it('the OpenAI-compatible embedder sends `dimensions` only for models that support several numbers of dimensions', async () => {
    await openEmbedder().embedDocuments(['x']);
    await openEmbedder({ model: 'text-embedding-3-small' }).embedDocuments(['x']);
    await openEmbedder({ sendDimensions: true }).embedDocuments(['x']);
    expect(provider.requests.map((request) => request.body['dimensions'])).toEqual([undefined, 64, 64]);
  });

  it('the OpenAI-compatible embedder adds the configured prefixes to passages and questions', async () => {
    const embedder = openEmbedder({ documentPrefix: 'passage: ', queryPrefix: 'query: ' });
    await embedder.embedDocuments(['two\nlines']);
    await embedder.embedQuery('how?');
    expect(provider.requests.flatMap((request) => request.texts)).toEqual(['passage: two\nlines', 'query: how?']);
  });

  it('the OpenAI-compatible embedder limits the number of texts and the number of tokens of a request', async () => {
    const embedder = openEmbedder({ batchTexts: 10, batchTokens: 300, concurrency: 1 });
    await embedder.embedDocuments(Array.from({ length: 95 }, (_, index) => `text ${index}`));
    expect(provider.requests.map((request) => request.texts.length)).toEqual([...Array<number>(9).fill(10), 5]);
    await embedder.embedDocuments(Array.from({ length: 4 }, () => 'word '.repeat(100)));
    expect(provider.requests.slice(10).map((request) => request.texts.length)).toEqual([2, 2]);
  });

  it('the OpenAI-compatible embedder limits the number of concurrent requests over all calls', async () => {
    const pending: (() => void)[] = [];
    provider.answerAlways((response, request) => {
      pending.push(() => {
        provider.embed(response, request);
      });
      if (pending.length === 2) for (const release of pending.splice(0)) release();
    });
    const embedder = openEmbedder({ batchTexts: 1, concurrency: 2 });
    await Promise.all([embedder.embedDocuments(['a', 'b', 'c']), embedder.embedDocuments(['d', 'e', 'f'])]);
    expect(provider.maxConcurrent()).toBe(2);
  });

  it('the OpenAI-compatible embedder waits for the delay in `Retry-After` of a 429 response, in seconds or as a date', async () => {
    provider.answerNext(
      createJsonAnswer(429, {}, { 'retry-after': '7' }),
      createJsonAnswer(429, {}, { 'retry-after': new Date(Date.now() + 20_000).toUTCString() }),
    );
    await openEmbedder().embedDocuments(['x']);
    expect(clock.waits[0]).toBe(7_000);
    expect(clock.waits[1]).toBeGreaterThan(15_000);
    expect(clock.waits[1]).toBeLessThanOrEqual(20_000);
  });

  it.each([['0'], ['0.01'], [new Date(0).toUTCString()]])(
    'the OpenAI-compatible embedder waits for growing delays if `Retry-After` requires a delay of less than 500 ms: %s',
    async (retryAfter) => {
      provider.answerNext(...Array.from({ length: 3 }, () => createJsonAnswer(429, {}, { 'retry-after': retryAfter })));
      await openEmbedder().embedDocuments(['x']);
      expect(clock.waits).toHaveLength(3);
      const [first = 0, second = 0, third = 0] = clock.waits;
      expect(first).toBeGreaterThanOrEqual(250);
      expect(second).toBeGreaterThanOrEqual(500);
      expect(third).toBeGreaterThanOrEqual(1_000);
    },
  );

  it('if the delay in `Retry-After` exceeds the retry timeout, the OpenAI-compatible embedder fails without a retry', async () => {
    provider.answerNext(createJsonAnswer(429, {}, { 'retry-after': '3600' }));
    const error = await catchFailure(openEmbedder().embedDocuments(['x']));
    expect(error.code).toBe('embedder_unavailable');
    expect(provider.requests).toHaveLength(1);
  });

  it('the OpenAI-compatible embedder retries server errors with growing delays', async () => {
    provider.answerNext(
      createErrorAnswer(500, 'oops'),
      createErrorAnswer(503, 'overloaded'),
      createErrorAnswer(502, 'bad gateway'),
    );
    await openEmbedder().embedDocuments(['x']);
    expect(clock.waits).toHaveLength(3);
    const [first = 0, second = 0, third = 0] = clock.waits;
    expect(first).toBeGreaterThanOrEqual(250);
    expect(second).toBeGreaterThanOrEqual(first);
    expect(third).toBeGreaterThanOrEqual(second);
  });

  it('the OpenAI-compatible embedder retries a request whose connection breaks', async () => {
    provider.answerNext((response) => response.destroy());
    await expect(openEmbedder().embedDocuments(['x'])).resolves.toHaveLength(1);
    expect(clock.waits).toHaveLength(1);
  });

  it('the OpenAI-compatible embedder stops retrying after the retry timeout, and reports the reason of the last failure', async () => {
    provider.answerAlways(createErrorAnswer(503, 'the model is loading'));
    const error = await catchFailure(openEmbedder({ retryTimeoutMs: 30_000 }).embedDocuments(['x']));
    expect(error.code).toBe('embedder_unavailable');
    expect(error.message).toMatch(/the embedding request failed \d+ times within 30000 ms: 503 the model is loading/);
    expect(clock.now()).toBeLessThanOrEqual(30_000);
    expect(clock.now()).toBeGreaterThan(10_000);
  });

  it('the OpenAI-compatible embedder reports an unreachable server without the address of the server', async () => {
    await provider.close();
    const error = await catchFailure(openEmbedder().embedDocuments(['x']));
    expect(error.code).toBe('embedder_unavailable');
    expect(error.message).toContain('ECONNREFUSED');
    expect(error.message).not.toContain('127.0.0.1');
    provider = await startFakeProvider(DIMENSIONS);
  });

  it('the OpenAI-compatible embedder retries a request that times out', async () => {
    provider.answerNext(omitResponse);
    await expect(openEmbedder({ timeoutMs: 1_000 }).embedDocuments(['x'])).resolves.toHaveLength(1);
    expect(provider.requests).toHaveLength(2);
  });

  it.each([
    ['the key', createErrorAnswer(401, 'Incorrect API key provided')],
    ['the model', createErrorAnswer(404, 'The model does not exist')],
    ['the text', createErrorAnswer(400, "This model's maximum context length is 8192 tokens")],
    ['a quota that is used up', createErrorAnswer(429, 'You exceeded your current quota', 'insufficient_quota')],
  ])(
    'the OpenAI-compatible embedder does not retry a request that the provider rejects because of %s',
    async (_, answer) => {
      provider.answerNext(answer);
      const error = await catchFailure(openEmbedder().embedDocuments(['x']));
      expect(error.code).toBe('embedder_refused');
      expect(error.message.length).toBeGreaterThan(20);
      expect(provider.requests).toHaveLength(1);
    },
  );

  it.each([
    ['an HTML page', createJsonAnswer(200, '<html>hello</html>', { 'content-type': 'text/html' })],
    ['an object without vectors', createJsonAnswer(200, { ok: true })],
    ['too few vectors', createJsonAnswer(200, { data: [] })],
    ['a vector of texts', createJsonAnswer(200, { data: [{ embedding: Array<string>(DIMENSIONS).fill('1') }] })],
    ['incomplete', breakConnection],
  ])(
    'the OpenAI-compatible embedder retries a request whose response is %s, and fails if this response persists',
    async (_, answer) => {
      provider.answerNext(answer);
      await expect(openEmbedder().embedDocuments(['x'])).resolves.toHaveLength(1);
      expect(provider.requests).toHaveLength(2);
      provider.answerAlways(answer);
      await expect(catchFailure(openEmbedder().embedDocuments(['x']))).resolves.toMatchObject({
        code: 'embedder_unavailable',
      });
    },
  );

  it('the OpenAI-compatible embedder rejects a vector that contains only zeros', async () => {
    provider.answerNext(createJsonAnswer(200, { data: [{ embedding: Array<number>(DIMENSIONS).fill(0) }] }));
    await expect(catchFailure(openEmbedder().embedDocuments(['x']))).resolves.toMatchObject({
      code: 'embedder_refused',
    });
  });

  it('the OpenAI-compatible embedder throws an error if the vectors have another number of dimensions than configured', async () => {
    const error = await catchFailure(openEmbedder({ dimensions: 1536 }).embedDocuments(['x']));
    expect(error.code).toBe('embedding_dimensions_mismatch');
    expect(error.message).toBe('expected vectors of 1536 dimensions from model fake, found 64');
  });

  it('the OpenAI-compatible embedder stops a call when the signal of the call is aborted during a request or during a delay before a retry', async () => {
    const firstCall = new AbortController();
    const closed = new Promise((resolve) => {
      provider.answerNext((response) => {
        response.on('close', resolve);
        firstCall.abort(new Error('aborted by the caller'));
      });
    });
    await expect(openEmbedder().embedDocuments(['x'], { signal: firstCall.signal })).rejects.toThrow(
      'aborted by the caller',
    );
    await closed;

    const secondCall = new AbortController();
    provider.answerNext((response, request) => {
      createJsonAnswer(429, {}, { 'retry-after': '50' })(response, request);
    });
    const embedder = openLangChainEmbedder({ baseUrl: provider.baseUrl, model: 'fake', dimensions: DIMENSIONS });
    const embedding = embedder.embedDocuments(['x'], { signal: secondCall.signal });
    const ended = expect(embedding).rejects.toThrow('aborted again by the caller');
    await expect.poll(() => provider.requests.length).toBe(2);
    secondCall.abort(new Error('aborted again by the caller'));
    await ended;
  });

  it('a question that waits for a free request slot fails as soon as its signal is aborted, and sends no request', async () => {
    const answers: (() => void)[] = [];
    provider.answerNext((response, request) => {
      answers.push(() => {
        provider.embed(response, request);
      });
    });
    const embedder = openEmbedder({ concurrency: 1 });
    const documents = embedder.embedDocuments(['a']);
    await expect.poll(() => answers.length).toBe(1);
    const leaving = new AbortController();
    const question = embedder.embedQuery('which?', { signal: leaving.signal });
    const last = embedder.embedQuery('who?');
    leaving.abort(new Error('aborted by the caller'));
    await expect(question).rejects.toThrow('aborted by the caller');
    for (const answer of answers) answer();
    await Promise.all([documents, last]);
    expect(provider.requests.flatMap((request) => request.texts)).toEqual(['a', 'who?']);
  });

  it('after the provider has rejected a batch, the OpenAI-compatible embedder sends no further batch of the same call', async () => {
    provider.answerNext(createErrorAnswer(400, 'no'));
    await catchFailure(openEmbedder({ batchTexts: 1, concurrency: 1 }).embedDocuments(['a', 'b', 'c', 'd']));
    await openEmbedder({ batchTexts: 1 }).embedDocuments(['later']);
    expect(provider.requests.map((request) => request.texts)).toEqual([['a'], ['later']]);
  });

  it('if a batch is rejected, the OpenAI-compatible embedder waits for the responses to the other batches that it has sent, and reports their vectors', async () => {
    provider.answerNext(
      (response, request) => {
        const answerAfterSecond = (): void => {
          if (provider.requests.length < 2) setImmediate(answerAfterSecond);
          else provider.embed(response, request);
        };
        answerAfterSecond();
      },
      createErrorAnswer(400, 'no'),
    );
    const reported: number[] = [];
    const embedding = openEmbedder({ batchTexts: 1, concurrency: 2 }).embedDocuments(['a', 'b', 'c'], {
      onEmbedded: (part) => reported.push(...part.map(({ index }) => index)),
    });
    await expect(catchFailure(embedding)).resolves.toMatchObject({ code: 'embedder_refused' });
    expect(reported).toEqual([0]);
    expect(provider.requests).toHaveLength(2);
  });
});
