import { EmbeddingFailed } from '@quarry/embedder';
import { describeEmbedder } from '@quarry/embedder/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLangChainEmbedder, type LangChainEmbedderSettings } from './langchain-embedder.js';
import { fakeClock } from './testing/fake-clock.js';
import {
  answering,
  cutShort,
  refusing,
  silent,
  startFakeProvider,
  type FakeProvider,
} from './testing/fake-embedding-provider.js';

const DIMENSIONS = 64;

describeEmbedder('an OpenAI-compatible address', async () => {
  const provider = await startFakeProvider(DIMENSIONS);
  return {
    embedder: openLangChainEmbedder({ baseUrl: provider.baseUrl, model: 'fake', dimensions: DIMENSIONS }, fakeClock()),
    provider: {
      waitOnce: () => {
        provider.answerNext(answering(429, {}, { 'retry-after': '3' }));
      },
      refuseOnce: () => {
        provider.answerNext(refusing(400, 'no'));
      },
    },
    close: () => provider.close(),
  };
});

describe('an OpenAI-compatible address', () => {
  let provider: FakeProvider;
  let clock: ReturnType<typeof fakeClock>;
  beforeEach(async () => {
    provider = await startFakeProvider(DIMENSIONS);
    clock = fakeClock();
  });
  afterEach(async () => provider.close());

  const open = (more: Partial<LangChainEmbedderSettings> = {}): ReturnType<typeof openLangChainEmbedder> =>
    openLangChainEmbedder({ baseUrl: provider.baseUrl, model: 'fake', dimensions: DIMENSIONS, ...more }, clock);

  const failureOf = async (embedding: Promise<unknown>): Promise<EmbeddingFailed> => {
    const error: unknown = await embedding.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (error instanceof EmbeddingFailed) return error;
    throw new Error(`EmbeddingFailed was expected, found ${String(error)}`);
  };

  it('sends its own key and nothing of the environment', async () => {
    process.env['OPENAI_ORG_ID'] = 'another-organization';
    process.env['OPENAI_API_KEY'] = 'another-key';
    try {
      await open({ apiKey: 'the-key' }).embedDocuments(['x']);
      await open().embedDocuments(['x']);
    } finally {
      delete process.env['OPENAI_ORG_ID'];
      delete process.env['OPENAI_API_KEY'];
    }
    const [withKey, without] = provider.requests;
    expect(withKey?.headers.authorization).toBe('Bearer the-key');
    expect(without?.headers.authorization).toBeUndefined();
    expect(JSON.stringify(provider.requests)).not.toContain('another-');
  });

  it('asks for dimensions only where a model has several', async () => {
    await open().embedDocuments(['x']);
    await open({ model: 'text-embedding-3-small' }).embedDocuments(['x']);
    await open({ sendDimensions: true }).embedDocuments(['x']);
    expect(provider.requests.map((request) => request.body['dimensions'])).toEqual([undefined, 64, 64]);
  });

  it('embeds passages and questions with the prefixes that a model was trained with', async () => {
    const embedder = open({ documentPrefix: 'passage: ', queryPrefix: 'query: ' });
    await embedder.embedDocuments(['two\nlines']);
    await embedder.embedQuery('how?');
    expect(provider.requests.flatMap((request) => request.texts)).toEqual(['passage: two\nlines', 'query: how?']);
  });

  it('keeps to the texts and tokens of a request', async () => {
    const embedder = open({ batchTexts: 10, batchTokens: 300, concurrency: 1 });
    await embedder.embedDocuments(Array.from({ length: 95 }, (_, index) => `text ${index}`));
    expect(provider.requests.map((request) => request.texts.length)).toEqual([...Array<number>(9).fill(10), 5]);
    await embedder.embedDocuments(Array.from({ length: 4 }, () => 'word '.repeat(100)));
    expect(provider.requests.slice(10).map((request) => request.texts.length)).toEqual([2, 2]);
  });

  it('keeps to the requests at once, over all calls', async () => {
    const held: (() => void)[] = [];
    provider.answerAlways((response, request) => {
      held.push(() => {
        provider.embed(response, request);
      });
      if (held.length === 2) for (const release of held.splice(0)) release();
    });
    const embedder = open({ batchTexts: 1, concurrency: 2 });
    await Promise.all([embedder.embedDocuments(['a', 'b', 'c']), embedder.embedDocuments(['d', 'e', 'f'])]);
    expect(provider.mostAtOnce()).toBe(2);
  });

  it('waits as long as a 429 says, in seconds or until a date', async () => {
    provider.answerNext(
      answering(429, {}, { 'retry-after': '7' }),
      answering(429, {}, { 'retry-after': new Date(Date.now() + 20_000).toUTCString() }),
    );
    await open().embedDocuments(['x']);
    expect(clock.waits[0]).toBe(7_000);
    expect(clock.waits[1]).toBeGreaterThan(15_000);
    expect(clock.waits[1]).toBeLessThanOrEqual(20_000);
  });

  it('gives up at once when it would have to wait longer than it may', async () => {
    provider.answerNext(answering(429, {}, { 'retry-after': '3600' }));
    const error = await failureOf(open().embedDocuments(['x']));
    expect(error.code).toBe('embedder_unavailable');
    expect(provider.requests).toHaveLength(1);
  });

  it('repeats what a server fails to answer, with growing waits', async () => {
    provider.answerNext(refusing(500, 'oops'), refusing(503, 'overloaded'), refusing(502, 'bad gateway'));
    await open().embedDocuments(['x']);
    expect(clock.waits).toHaveLength(3);
    const [first = 0, second = 0, third = 0] = clock.waits;
    expect(first).toBeGreaterThanOrEqual(250);
    expect(second).toBeGreaterThanOrEqual(first);
    expect(third).toBeGreaterThanOrEqual(second);
  });

  it('repeats a request whose connection breaks', async () => {
    provider.answerNext((response) => response.destroy());
    await expect(open().embedDocuments(['x'])).resolves.toHaveLength(1);
    expect(clock.waits).toHaveLength(1);
  });

  it('stops trying when its patience is over, and names the last reason', async () => {
    provider.answerAlways(refusing(503, 'the model is loading'));
    const error = await failureOf(open({ patienceMs: 30_000 }).embedDocuments(['x']));
    expect(error.code).toBe('embedder_unavailable');
    expect(error.message).toMatch(/tried \d+ times within 30000 ms: 503 the model is loading/);
    expect(clock.now()).toBeLessThanOrEqual(30_000);
    expect(clock.now()).toBeGreaterThan(10_000);
  });

  it('says that nothing listens there, without the address', async () => {
    await provider.close();
    const error = await failureOf(open().embedDocuments(['x']));
    expect(error.code).toBe('embedder_unavailable');
    expect(error.message).toContain('ECONNREFUSED');
    expect(error.message).not.toContain('127.0.0.1');
    provider = await startFakeProvider(DIMENSIONS);
  });

  it('takes an answer that does not come in time for none', async () => {
    provider.answerNext(silent);
    await expect(open({ timeoutMs: 1_000 }).embedDocuments(['x'])).resolves.toHaveLength(1);
    expect(provider.requests).toHaveLength(2);
  });

  it.each([
    ['the key', refusing(401, 'Incorrect API key provided')],
    ['the model', refusing(404, 'The model does not exist')],
    ['the text', refusing(400, "This model's maximum context length is 8192 tokens")],
    ['a quota that is used up', refusing(429, 'You exceeded your current quota', 'insufficient_quota')],
  ])('does not repeat a refusal of %s', async (_, answer) => {
    provider.answerNext(answer);
    const error = await failureOf(open().embedDocuments(['x']));
    expect(error.code).toBe('embedder_refused');
    expect(error.message.length).toBeGreaterThan(20);
    expect(provider.requests).toHaveLength(1);
  });

  it.each([
    ['a page', answering(200, '<html>hello</html>', { 'content-type': 'text/html' })],
    ['another object', answering(200, { ok: true })],
    ['too few vectors', answering(200, { data: [] })],
    ['vectors of text', answering(200, { data: [{ embedding: Array<string>(DIMENSIONS).fill('1') }] })],
    ['half an answer', cutShort],
  ])('repeats a request whose answer is %s, and gives up when it never is another', async (_, answer) => {
    provider.answerNext(answer);
    await expect(open().embedDocuments(['x'])).resolves.toHaveLength(1);
    expect(provider.requests).toHaveLength(2);
    provider.answerAlways(answer);
    await expect(failureOf(open().embedDocuments(['x']))).resolves.toMatchObject({ code: 'embedder_unavailable' });
  });

  it('refuses vectors of zeros', async () => {
    provider.answerNext(answering(200, { data: [{ embedding: Array<number>(DIMENSIONS).fill(0) }] }));
    await expect(failureOf(open().embedDocuments(['x']))).resolves.toMatchObject({ code: 'embedder_refused' });
  });

  it('says when vectors are not as long as configured', async () => {
    const error = await failureOf(open({ dimensions: 1536 }).embedDocuments(['x']));
    expect(error.code).toBe('embedding_dimensions_mismatch');
    expect(error.message).toBe('model fake is to give vectors of 1536 dimensions, found 64');
  });

  it('ends with the signal, while it asks and while it waits', async () => {
    const asking = new AbortController();
    const closed = new Promise((resolve) => {
      provider.answerNext((response) => {
        response.on('close', resolve);
        asking.abort(new Error('the caller left'));
      });
    });
    await expect(open().embedDocuments(['x'], { signal: asking.signal })).rejects.toThrow('the caller left');
    await closed;

    const waiting = new AbortController();
    provider.answerNext((response, request) => {
      answering(429, {}, { 'retry-after': '50' })(response, request);
    });
    const patient = openLangChainEmbedder({ baseUrl: provider.baseUrl, model: 'fake', dimensions: DIMENSIONS });
    const embedding = patient.embedDocuments(['x'], { signal: waiting.signal });
    const ended = expect(embedding).rejects.toThrow('the caller left again');
    await expect.poll(() => provider.requests.length).toBe(2);
    waiting.abort(new Error('the caller left again'));
    await ended;
  });

  it('sends no more batches once one is refused', async () => {
    provider.answerNext(refusing(400, 'no'));
    await failureOf(open({ batchTexts: 1, concurrency: 1 }).embedDocuments(['a', 'b', 'c', 'd']));
    await open({ batchTexts: 1 }).embedDocuments(['later']);
    expect(provider.requests.map((request) => request.texts)).toEqual([['a'], ['later']]);
  });

  it('waits for what it has sent already when a batch is refused, and tells the vectors of it', async () => {
    provider.answerNext(
      (response, request) => {
        const after = (): void => {
          if (provider.requests.length < 2) setImmediate(after);
          else provider.embed(response, request);
        };
        after();
      },
      refusing(400, 'no'),
    );
    const told: number[] = [];
    const embedding = open({ batchTexts: 1, concurrency: 2 }).embedDocuments(['a', 'b', 'c'], {
      onEmbedded: (part) => told.push(...part.map(({ index }) => index)),
    });
    await expect(failureOf(embedding)).resolves.toMatchObject({ code: 'embedder_refused' });
    expect(told).toEqual([0]);
    expect(provider.requests).toHaveLength(2);
  });
});
