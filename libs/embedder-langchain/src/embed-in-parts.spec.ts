import { EmbeddingFailed, type EmbeddedText, type TruncatedText } from '@quarry/embedder';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLangChainEmbedder, type LangChainEmbedderSettings } from './langchain-embedder.js';
import { fakeClock } from './testing/fake-clock.js';
import { refusing, startFakeProvider, type FakeProvider } from './testing/fake-embedding-provider.js';

const DIMENSIONS = 8;

let provider: FakeProvider;
beforeEach(async () => {
  provider = await startFakeProvider(DIMENSIONS);
});
afterEach(async () => provider.close());

function open(more: Partial<LangChainEmbedderSettings> = {}): ReturnType<typeof openLangChainEmbedder> {
  const settings = { baseUrl: provider.baseUrl, model: 'fake', dimensions: DIMENSIONS, concurrency: 1, ...more };
  return openLangChainEmbedder(settings, fakeClock());
}

/** Refuses more texts than `most`, and texts with more characters than `longest`, as the providers of this world do. */
function acceptAtMost(most: number, longest = Infinity, status = 413): void {
  provider.answerAlways((response, request) => {
    const isTooLarge = request.texts.length > most || request.texts.some(({ length }) => length > longest);
    const answer = isTooLarge ? refusing(status, `at most ${most} texts of ${longest}`) : provider.embed;
    answer(response, request);
  });
}

const texts = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `text ${at}`);
const sizes = (): readonly number[] => provider.requests.map((request) => request.texts.length);

describe('a provider that accepts fewer texts than it is sent', () => {
  it.each([400, 413, 422])('is sent halves, and every vector is reported once, in order (%i)', async (status) => {
    acceptAtMost(5, Infinity, status);
    const parts: EmbeddedText[] = [];
    const vectors = await open().embedDocuments(texts(40), { onEmbedded: (part) => parts.push(...part) });
    provider.answerAlways(provider.embed);
    expect(vectors).toEqual(await open().embedDocuments(texts(40)));
    expect(parts.map(({ index }) => index)).toEqual([...texts(40).keys()]);
    expect(parts.map(({ vector }) => vector)).toEqual(vectors);
  });

  it('is sent no more than it accepted from then on', async () => {
    acceptAtMost(8);
    const embedder = open();
    await embedder.embedDocuments(texts(64));
    expect(sizes()).toEqual([32, 16, 8, 8, 8, 8, 8, 8, 8, 8]);
    await embedder.embedDocuments(texts(16));
    expect(sizes().slice(10)).toEqual([8, 8]);
  });

  it('is sent what the setting says at once', async () => {
    acceptAtMost(8);
    await open({ batchTexts: 8 }).embedDocuments(texts(16));
    expect(sizes()).toEqual([8, 8]);
  });

  it('is not sent halves for a key that is wrong', async () => {
    provider.answerAlways(refusing(401, 'wrong key'));
    await expect(open().embedDocuments(texts(32))).rejects.toMatchObject({ code: 'embedder_refused' });
    expect(sizes()).toEqual([32]);
  });

  it('fails with its first reason where it refuses whatever it is sent, after few requests', async () => {
    provider.answerAlways(refusing(400, 'no such model'));
    const failure = open().embedDocuments(texts(320));
    await expect(failure).rejects.toThrow(EmbeddingFailed);
    await expect(failure).rejects.toThrow('no such model');
    expect(sizes()).toEqual([32, 16, 8, 4, 2, 1]);
  });
});

describe('a provider that accepts shorter texts than it is sent', () => {
  const long = 'word '.repeat(1_000);

  it.each([400, 413, 422])('is sent the beginning, which is reported (%i)', async (status) => {
    acceptAtMost(32, 2_000, status);
    const truncated: TruncatedText[] = [];
    const given = ['one', long, 'two'];
    const vectors = await open().embedDocuments(given, { onTruncated: (text) => truncated.push(text) });
    expect(truncated).toEqual([{ index: 1, embedded: 1_250, length: 5_000 }]);
    expect(vectors).toEqual(await open().embedDocuments(['one', long.slice(0, 1_250), 'two']));
  });

  it('is sent as much as the setting says at once, without half a character', async () => {
    acceptAtMost(32, 2_000);
    const truncated: TruncatedText[] = [];
    const text = `${'x'.repeat(1_999)}🙂 and more`;
    await open({ maxTextLength: 2_000 }).embedDocuments([text], { onTruncated: (one) => truncated.push(one) });
    expect(provider.requests.map((request) => request.texts)).toEqual([['x'.repeat(1_999)]]);
    expect(truncated).toEqual([{ index: 0, embedded: 1_999, length: text.length }]);
  });

  it('is still sent batches of the same size for other texts', async () => {
    acceptAtMost(32, 2_000);
    const embedder = open();
    await embedder.embedDocuments([...texts(15), long]);
    provider.answerAlways(provider.embed);
    await embedder.embedDocuments(texts(32));
    expect(sizes().at(-1)).toBe(32);
  });
});
