import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { inspect } from 'node:util';
import { RerankingFailed } from '@quarry/embedder';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { openHttpReranker } from './http-reranker.js';
import type { RerankForm } from './rerank-protocols.js';
import { startFakeReranker, type FakeReranker, type RerankerAnswer, type RerankerRequest } from './testing/index.js';

let fake: FakeReranker | undefined;
afterEach(async () => {
  await fake?.close();
  fake = undefined;
});

const startReranker = async (answer: (request: RerankerRequest) => RerankerAnswer): Promise<FakeReranker> =>
  (fake = await startFakeReranker(answer));

const TEXTS = ['far', 'near', 'between'];
/** Sample results, sorted by score as in the responses of services. */
const RESULTS = [
  { index: 1, relevance_score: 0.9 },
  { index: 2, relevance_score: 0.5 },
  { index: 0, relevance_score: 0.1 },
];

interface Protocol {
  readonly form: RerankForm;
  readonly path: string;
  readonly answer: unknown;
  readonly sent: object;
}

const DOCUMENTS = { model: 'm', query: 'which?', documents: TEXTS, top_n: 3 };
const PROTOCOL_CASES: readonly Protocol[] = [
  { form: 'cohere', path: '/v2/rerank', answer: { id: 'x', results: RESULTS, meta: {} }, sent: DOCUMENTS },
  {
    ...{ form: 'jina', path: '/v1/rerank', answer: { model: 'm', usage: {}, results: RESULTS } },
    sent: { ...DOCUMENTS, return_documents: false },
  },
  {
    ...{ form: 'tei', path: '/rerank' },
    answer: RESULTS.map(({ index, relevance_score: score }) => ({ index, score })),
    sent: { query: 'which?', texts: TEXTS, raw_scores: false, truncate: true },
  },
];

describe.each(PROTOCOL_CASES)('a reranker with the protocol $form', ({ form, path, answer, sent }) => {
  it('a reranker returns a score for each text in the given order', async () => {
    const { url, requests } = await startReranker(() => ({ body: answer }));
    const reranker = openHttpReranker({ form, url: url + path, model: 'm', apiKey: 'the-key' });
    expect(await reranker.rerank('which?', TEXTS)).toEqual([0.1, 0.9, 0.5]);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ path, headers: { authorization: 'Bearer the-key' } });
    expect(requests[0]?.body).toEqual(sent);
  });

  it.each([
    ['rejects the request', { status: 429, body: { message: 'slow down' } }, /429 .*slow down/],
    ['responds without JSON', { body: '<html>' }, /JSON/],
    ['responds in another format', { body: { data: [] } }, new RegExp(`scores in the format of ${form}`)],
    ['returns no score for a text', { body: removeScore(answer, 2) }, /expected 3 scores, found none for text/],
  ])('rerank() fails when the server %s', async (_, response, message) => {
    const { url } = await startReranker(() => response);
    const reranking = openHttpReranker({ form, url: url + path, model: 'm' }).rerank('which?', TEXTS);
    await expect(reranking).rejects.toThrow(RerankingFailed);
    await expect(reranking).rejects.toThrow(message);
  });

  it('if the signal aborts, a reranker throws the abort reason of the signal', async () => {
    const { url } = await startReranker(() => undefined);
    const reranker = openHttpReranker({ form, url: url + path });
    const signal = AbortSignal.timeout(30);
    await expect(reranker.rerank('which?', TEXTS, { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});

describe('a reranker over HTTP', () => {
  it('a reranker sends no request to the server for an empty list of texts', async () => {
    const { url, requests } = await startReranker(() => ({ body: [] }));
    expect(await openHttpReranker({ form: 'tei', url }).rerank('which?', [])).toEqual([]);
    expect(requests).toEqual([]);
  });

  it('a reranker sends a TEI server at most 32 texts per request', async () => {
    const { url, requests } = await startReranker(({ body }) => ({ body: createScoresByLength(body['texts']) }));
    const texts = Array.from({ length: 70 }, (_, at) => 'x'.repeat(at));
    const scores = await openHttpReranker({ form: 'tei', url }).rerank('which?', texts);
    expect(scores).toEqual(texts.map(({ length }) => length / 100));
    expect(requests.map(({ body }) => (body['texts'] as string[]).length).toSorted()).toEqual([32, 32, 6]);
  });

  it('a reranker maps unbounded scores to scores in [0, 1] and preserves their order', async () => {
    const results = [-8, 0, 6].map((score, index) => ({ index, relevance_score: score }));
    const { url } = await startReranker(() => ({ body: { results } }));
    const [low = 1, middle, high = 0] = await openHttpReranker({ form: 'jina', url }).rerank('which?', TEXTS);
    expect(low).toBeCloseTo(0, 2);
    expect(middle).toBe(0.5);
    expect(high).toBeCloseTo(1, 2);
  });

  // An error contains at most 300 characters of the response. This limit would split a key that starts after 290
  // characters.
  it.each([0, 290])(
    'a reranker redacts the API key in an error, even if truncation would split the key (characters before the key: %i)',
    async (before) => {
      const body = `${'x'.repeat(before)} key-of-the-test`;
      const { url } = await startReranker(() => ({ status: 401, body }));
      const reranking = openHttpReranker({ form: 'cohere', url, apiKey: 'key-of-the-test' }).rerank('which?', TEXTS);
      const failure: unknown = await reranking.catch((error: unknown) => error);
      expect(inspect(failure)).toContain(`the reranker at ${url} failed: 401`);
      expect(inspect(failure)).not.toContain('key-of-');
    },
  );

  it('a reranker rejects a response above the maximum size', async () => {
    const body = JSON.stringify({ results: RESULTS }) + ' '.repeat(17 * 1024 * 1024);
    const { url } = await startReranker(() => ({ body }));
    const reranking = openHttpReranker({ form: 'cohere', url }).rerank('which?', TEXTS);
    await expect(reranking).rejects.toThrow('expected a response of at most 16777216 bytes, found a longer one');
  });

  it('a reranker reads only the beginning of the body of a long error response', async () => {
    const chunks = Readable.from(Array.from({ length: 1_024 }, () => 'Overloaded '.repeat(5_000)));
    const closed = Promise.withResolvers<unknown>();
    const server = createServer((_, response) => {
      chunks.pipe(response.writeHead(500).once('close', closed.resolve));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // listens on a port
    const reranking = openHttpReranker({ form: 'cohere', url: `http://127.0.0.1:${port}` }).rerank('which?', TEXTS);
    await expect(reranking).rejects.toThrow('500 Overloaded Overloaded');
    await closed.promise;
    expect(chunks.readableEnded).toBe(false);
  });

  it('if no server listens at the address of a reranker, the error names the model, the address and the reason', async () => {
    const { url } = await startReranker(() => undefined);
    await fake?.close();
    const reranking = openHttpReranker({ form: 'cohere', url, model: 'm' }).rerank('which?', TEXTS);
    await expect(reranking).rejects.toThrow(/the reranker m at http.*ECONNREFUSED/);
  });
});

function removeScore(answer: unknown, at: number): unknown {
  if (Array.isArray(answer)) return answer.toSpliced(at, 1);
  const { results } = answer as { readonly results: readonly unknown[] };
  return { results: results.toSpliced(at, 1) };
}

function createScoresByLength(texts: unknown): object[] {
  return (texts as string[]).map(({ length }, index) => ({ index, score: length / 100 }));
}
