import { EmbeddingFailed, type Embedder, type EmbeddingFailure } from '@quarry/embedder';
import { createLog } from '@quarry/service-kit';
import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { createQueryApp } from '../server.js';
import { EMBEDDER, EMBEDDING } from '../testing/knowledge.js';
import { type ContextParts, createQueryContext, TOKEN } from '../testing/query-context.js';
import { embedClientTexts } from './embed-client-texts.js';

const NEVER = new AbortController().signal;
const TEXTS = ['Küche', 'warranty'];

const sendRequest = async (path: string, body: object, parts: ContextParts = {}) =>
  request(createQueryApp(await createQueryContext(parts), NEVER))
    .post(path)
    .set('Authorization', `Bearer ${TOKEN}`)
    .send(body);

/** Creates an embedder whose calls all fail with a code, as if the provider of the embedding model failed. */
function createFailingEmbedder(code: EmbeddingFailure): Embedder {
  const fail = (): Promise<never> => Promise.reject(new EmbeddingFailed(code, 'the provider failed'));
  return { model: 'failing', dimensions: 2, embedDocuments: fail, embedQuery: fail };
}

describe('POST /internal/embed', () => {
  it('POST /internal/embed returns the vectors that fragments with the texts of the request have, and the number of tokens', async () => {
    const response = await sendRequest('/internal/embed', { embedding: EMBEDDING, texts: TEXTS });
    const vectors = (await EMBEDDER.embedDocuments(TEXTS)).map((vector) => [...vector]);
    expect([response.status, response.body]).toEqual([200, { vectors, tokens: expect.any(Number) as number }]);
    expect((response.body as { tokens: number }).tokens).toBeGreaterThan(2);
  });

  it.each([
    [424, 'model_not_configured', undefined],
    [503, 'model_unavailable', createFailingEmbedder('embedder_unavailable')],
    [502, 'model_refused', createFailingEmbedder('embedder_refused')],
  ] as const)(
    'POST /internal/embed responds with %i and the code `%s` if the embedder is missing or fails',
    async (status, code, embedder) => {
      const response = await sendRequest(
        '/internal/embed',
        { embedding: EMBEDDING, texts: TEXTS },
        { getEmbedder: () => embedder },
      );
      expect([response.status, response.body]).toMatchObject([status, { code }]);
    },
  );

  it.each([{ embedding: EMBEDDING, texts: [] }, { embedding: EMBEDDING, texts: [''] }, { texts: TEXTS }])(
    'POST /internal/embed responds with 400 to the body %j',
    async (body) => {
      expect((await sendRequest('/internal/embed', body)).status).toBe(400);
    },
  );
});

it('embedClientTexts rejects with the abort reason if the signal aborts', async () => {
  const leaving = new AbortController();
  leaving.abort(new Error('the client disconnected'));
  const call = { log: createLog('query', 'silent'), signal: leaving.signal };
  const embedder = createFailingEmbedder('embedder_unavailable');
  await expect(
    embedClientTexts({ getEmbedder: () => embedder }, { embedding: EMBEDDING, texts: TEXTS }, call),
  ).rejects.toThrow('the client disconnected');
});
