import { RerankingFailed } from '@quarry/embedder';
import { afterEach, describe, expect, it } from 'vitest';
import { openHttpReranker } from './http-reranker.js';
import type { RerankForm } from './rerank-forms.js';
import { startFakeReranker, type FakeReranker, type RerankerAnswer, type RerankerRequest } from './testing/index.js';

let fake: FakeReranker | undefined;
afterEach(async () => {
  await fake?.close();
  fake = undefined;
});

const start = async (answer: (request: RerankerRequest) => RerankerAnswer): Promise<FakeReranker> =>
  (fake = await startFakeReranker(answer));

const TEXTS = ['far', 'near', 'between'];
/** Best first, as the services answer. */
const ANSWERED = [
  { index: 1, relevance_score: 0.9 },
  { index: 2, relevance_score: 0.5 },
  { index: 0, relevance_score: 0.1 },
];

interface Wire {
  readonly form: RerankForm;
  readonly path: string;
  readonly answer: unknown;
  readonly sent: object;
}

const DOCUMENTS = { model: 'm', query: 'which?', documents: TEXTS, top_n: 3 };
const WIRES: readonly Wire[] = [
  { form: 'cohere', path: '/v2/rerank', answer: { id: 'x', results: ANSWERED, meta: {} }, sent: DOCUMENTS },
  {
    ...{ form: 'jina', path: '/v1/rerank', answer: { model: 'm', usage: {}, results: ANSWERED } },
    sent: { ...DOCUMENTS, return_documents: false },
  },
  {
    ...{ form: 'tei', path: '/rerank' },
    answer: ANSWERED.map(({ index, relevance_score: score }) => ({ index, score })),
    sent: { query: 'which?', texts: TEXTS, raw_scores: false, truncate: true },
  },
];

describe.each(WIRES)('a reranker that is asked as $form is', ({ form, path, answer, sent }) => {
  it('scores each text, in the order given', async () => {
    const { url, requests } = await start(() => ({ body: answer }));
    const reranker = openHttpReranker({ form, url: url + path, model: 'm', apiKey: 'the-key' });
    expect(await reranker.rerank('which?', TEXTS)).toEqual([0.1, 0.9, 0.5]);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ path, headers: { authorization: 'Bearer the-key' } });
    expect(requests[0]?.body).toEqual(sent);
  });

  it.each([
    ['refuses', { status: 429, body: { message: 'slow down' } }, /429 .*slow down/],
    ['answers what is no JSON', { body: '<html>' }, /JSON/],
    ['answers in another form', { body: { data: [] } }, new RegExp(`scores as ${form} has them`)],
    ['leaves a text out', { body: without(answer, 2) }, /3 scores were expected, found none for text/],
  ])('fails when it %s', async (_, told, message) => {
    const { url } = await start(() => told);
    const reranking = openHttpReranker({ form, url: url + path, model: 'm' }).rerank('which?', TEXTS);
    await expect(reranking).rejects.toThrow(RerankingFailed);
    await expect(reranking).rejects.toThrow(message);
  });

  it('ends with the reason of a caller that does not wait any longer', async () => {
    const { url } = await start(() => undefined);
    const reranker = openHttpReranker({ form, url: url + path });
    const signal = AbortSignal.timeout(30);
    await expect(reranker.rerank('which?', TEXTS, { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('a reranker over HTTP', () => {
  it('asks for nothing when there is nothing', async () => {
    const { url, requests } = await start(() => ({ body: [] }));
    expect(await openHttpReranker({ form: 'tei', url }).rerank('which?', [])).toEqual([]);
    expect(requests).toEqual([]);
  });

  it('sends TEI no more texts at once than it takes', async () => {
    const { url, requests } = await start(({ body }) => ({ body: lengths(body['texts']) }));
    const texts = Array.from({ length: 70 }, (_, at) => 'x'.repeat(at));
    const scores = await openHttpReranker({ form: 'tei', url }).rerank('which?', texts);
    expect(scores).toEqual(texts.map(({ length }) => length / 100));
    expect(requests.map(({ body }) => (body['texts'] as string[]).length).toSorted()).toEqual([32, 32, 6]);
  });

  it('brings scores without bounds into [0, 1], in the same order', async () => {
    const results = [-8, 0, 6].map((score, index) => ({ index, relevance_score: score }));
    const { url } = await start(() => ({ body: { results } }));
    const [low = 1, middle, high = 0] = await openHttpReranker({ form: 'jina', url }).rerank('which?', TEXTS);
    expect(low).toBeCloseTo(0, 2);
    expect(middle).toBe(0.5);
    expect(high).toBeCloseTo(1, 2);
  });

  it('says that nothing listens at the address', async () => {
    const { url } = await start(() => undefined);
    await fake?.close();
    const reranking = openHttpReranker({ form: 'cohere', url, model: 'm' }).rerank('which?', TEXTS);
    await expect(reranking).rejects.toThrow(/the reranker m at http.*ECONNREFUSED/);
  });
});

function without(answer: unknown, at: number): unknown {
  if (Array.isArray(answer)) return answer.toSpliced(at, 1);
  const { results } = answer as { readonly results: readonly unknown[] };
  return { results: results.toSpliced(at, 1) };
}

function lengths(texts: unknown): object[] {
  return (texts as string[]).map(({ length }, index) => ({ index, score: length / 100 }));
}
