import { EmbeddingFailed, type EmbeddedText, type TruncatedText } from '@quarry/embedder';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLangChainEmbedder, type LangChainEmbedderSettings } from './langchain-embedder.js';
import { createFakeClock } from './testing/fake-clock.js';
import { createErrorAnswer, startFakeProvider, type FakeProvider } from './testing/fake-embedding-provider.js';

const DIMENSIONS = 8;

let provider: FakeProvider;
beforeEach(async () => {
  provider = await startFakeProvider(DIMENSIONS);
});
afterEach(async () => provider.close());

function openEmbedder(more: Partial<LangChainEmbedderSettings> = {}): ReturnType<typeof openLangChainEmbedder> {
  const settings = { baseUrl: provider.baseUrl, model: 'fake', dimensions: DIMENSIONS, concurrency: 1, ...more };
  return openLangChainEmbedder(settings, createFakeClock());
}

/** Rejects requests with too many texts, and texts with too many characters, as real providers do. */
function rejectRequestsAbove(maxTexts: number, maxLength = Infinity, status = 413): void {
  provider.answerAlways((response, request) => {
    const isTooLarge = request.texts.length > maxTexts || request.texts.some(({ length }) => length > maxLength);
    const answer = isTooLarge ? createErrorAnswer(status, `at most ${maxTexts} texts of ${maxLength}`) : provider.embed;
    answer(response, request);
  });
}

const createTexts = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `text ${at}`);
const listRequestSizes = (): readonly number[] => provider.requests.map((request) => request.texts.length);

describe('a provider that accepts fewer texts than a request contains', () => {
  it.each([400, 413, 422])(
    'if a batch is rejected with status %i, the embedder splits the batch into halves, and reports each vector once, in the order of the texts',
    async (status) => {
      rejectRequestsAbove(5, Infinity, status);
      const parts: EmbeddedText[] = [];
      const vectors = await openEmbedder().embedDocuments(createTexts(40), {
        onEmbedded: (part) => parts.push(...part),
      });
      provider.answerAlways(provider.embed);
      expect(vectors).toEqual(await openEmbedder().embedDocuments(createTexts(40)));
      expect(parts.map(({ index }) => index)).toEqual([...createTexts(40).keys()]);
      expect(parts.map(({ vector }) => vector)).toEqual(vectors);
    },
  );

  it('after a provider has rejected batches as too large, no later request has more texts than the largest accepted batch', async () => {
    rejectRequestsAbove(8);
    const embedder = openEmbedder();
    await embedder.embedDocuments(createTexts(64));
    expect(listRequestSizes()).toEqual([32, 16, 8, 8, 8, 8, 8, 8, 8, 8]);
    await embedder.embedDocuments(createTexts(16));
    expect(listRequestSizes().slice(10)).toEqual([8, 8]);
  });

  it('no request has more texts than the setting `batchTexts` allows', async () => {
    rejectRequestsAbove(8);
    await openEmbedder({ batchTexts: 8 }).embedDocuments(createTexts(16));
    expect(listRequestSizes()).toEqual([8, 8]);
  });

  it('the embedder does not split a batch if the provider rejects the API key', async () => {
    provider.answerAlways(createErrorAnswer(401, 'wrong key'));
    await expect(openEmbedder().embedDocuments(createTexts(32))).rejects.toMatchObject({ code: 'embedder_refused' });
    expect(listRequestSizes()).toEqual([32]);
  });

  it('if the provider rejects every text, the embedder fails after a few requests, with the reason that the provider returned', async () => {
    provider.answerAlways(createErrorAnswer(400, 'no such model'));
    const failure = openEmbedder().embedDocuments(createTexts(320));
    await expect(failure).rejects.toThrow(EmbeddingFailed);
    await expect(failure).rejects.toThrow('no such model');
    expect(listRequestSizes()).toEqual([32, 16, 8, 4, 2, 1]);
  });
});

describe('a provider that accepts only shorter texts than a request contains', () => {
  const long = 'word '.repeat(1_000);

  it.each([400, 413, 422])(
    'if the provider rejects a text with the status %i, the embedder sends only the beginning of the text, and reports the truncation',
    async (status) => {
      rejectRequestsAbove(32, 2_000, status);
      const truncated: TruncatedText[] = [];
      const given = ['one', long, 'two'];
      const vectors = await openEmbedder().embedDocuments(given, { onTruncated: (text) => truncated.push(text) });
      expect(truncated).toEqual([{ index: 1, embedded: 1_250, length: 5_000 }]);
      expect(vectors).toEqual(await openEmbedder().embedDocuments(['one', long.slice(0, 1_250), 'two']));
    },
  );

  it.each([
    ['rejected by the provider', undefined],
    ['longer than the configured length', 1_000],
  ])(
    'if a text is %s, the embedder reports the truncation of the text before the vector of the text',
    async (_, maxTextLength) => {
      rejectRequestsAbove(32, 2_000);
      const reports: string[] = [];
      await openEmbedder(maxTextLength === undefined ? {} : { maxTextLength }).embedDocuments([long], {
        onTruncated: () => reports.push('truncation'),
        onEmbedded: () => reports.push('vector'),
      });
      expect(reports).toEqual(['truncation', 'vector']);
    },
  );

  it('the embedder truncates texts to the configured length without splitting a surrogate pair', async () => {
    rejectRequestsAbove(32, 2_000);
    const truncated: TruncatedText[] = [];
    const text = `${'x'.repeat(1_999)}🙂 and more`;
    await openEmbedder({ maxTextLength: 2_000 }).embedDocuments([text], { onTruncated: (one) => truncated.push(one) });
    expect(provider.requests.map((request) => request.texts)).toEqual([['x'.repeat(1_999)]]);
    expect(truncated).toEqual([{ index: 0, embedded: 1_999, length: text.length }]);
  });

  it('if a provider rejects a single text as too long, later batches still contain as many texts as before', async () => {
    rejectRequestsAbove(32, 2_000);
    const embedder = openEmbedder();
    await embedder.embedDocuments([...createTexts(15), long]);
    provider.answerAlways(provider.embed);
    await embedder.embedDocuments(createTexts(32));
    expect(listRequestSizes().at(-1)).toBe(32);
  });
});
