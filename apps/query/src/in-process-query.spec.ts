import type { AnswerEvent, AnswerRequest } from '@quarry/contracts';
import type { ScoredFragment } from '@quarry/fragment-store';
import { createLog, createRequestScopeHandler, startHttpServer } from '@quarry/service-kit';
import express from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ModelFailed, type ChatCall } from './models/chat-model.js';
import { ModelNotConfigured } from './models/choose-model.js';
import { connectOpenAiCompatible } from './models/openai-response.js';
import { createProviderModel } from './models/provider-model.js';
import { createInProcessQuery } from './in-process-query.js';
import { startFakeProvider } from './testing/fake-provider.js';
import { EMBEDDER, EMBEDDING, createScope, createScoredFragment } from './testing/knowledge.js';
import { createModelSource, createQueryContext, type ContextParts } from './testing/query-context.js';
import { createScriptedModel, SILENCE } from './testing/scripted-model.js';

const NEVER = new AbortController().signal;
const documents = [{ fragments: ['The warranty lasts two years.'], datasourceId: 's1' }];
const question = { query: 'How long is the warranty?', history: [], generation: {}, restrictToKnowledge: true };
const buildRequest = (): AnswerRequest => Object.assign(createScope(), question);

async function startInProcess(parts: ContextParts = {}) {
  const context = await createQueryContext({ documents, ...parts });
  return { query: createInProcessQuery(context), metrics: context.metrics };
}

async function collectAll(events: AsyncIterable<AnswerEvent>): Promise<AnswerEvent[]> {
  const all: AnswerEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe('createInProcessQuery', () => {
  it('the in-process query service, which needs no HTTP, returns the fragments that match a query', async () => {
    const { query } = await startInProcess();
    const found = await query.search(Object.assign(createScope(), { query: 'warranty', topK: 3 }), NEVER);
    expect(found).toMatchObject({
      fragments: [{ datasourceId: 's1', text: 'The warranty lasts two years.' }],
      notes: [],
    });
  });

  it('the in-process query service rejects a search if the fragment store is unavailable', async () => {
    const { fragmentStore } = await createQueryContext();
    const unavailable = { ...fragmentStore, searchLexical: () => Promise.reject(new Error('refused')) };
    const { query } = await startInProcess({ fragmentStore: unavailable });
    const searching = query.search(Object.assign(createScope(), { query: 'warranty', topK: 3 }), NEVER);
    await expect(searching).rejects.toMatchObject({ code: 'dependency_unavailable' });
  });

  it('the in-process query service streams an answer, and counts it in the metrics', async () => {
    const { query, metrics } = await startInProcess({ model: createScriptedModel(['Two years [1].']) });
    const events = await collectAll(await query.answer(buildRequest(), NEVER));
    expect(events.at(-1)).toMatchObject({ type: 'completed', answer: 'Two years.', sources: [{ cited: true }] });
    expect(await metrics.registry.metrics()).toContain('quarry_answers_total{outcome="model"');
  });

  it('the log lines of the in-process query service contain the id of the HTTP request that asked the question', async () => {
    const lines: string[] = [];
    const log = createLog('quarry', 'warn', { write: (line) => lines.push(line) });
    const model = createScriptedModel([new ModelFailed('model_unavailable', 'the provider closed the connection')]);
    const query = createInProcessQuery({ ...(await createQueryContext({ documents, model })), log });
    const app = express().use(createRequestScopeHandler(log));
    app.get('/', async (_request, response) => {
      response.json(await collectAll(await query.answer(buildRequest(), NEVER)));
    });
    const server = await startHttpServer(app, { host: '127.0.0.1', port: 0 });
    await fetch(server.url, { headers: { 'X-Request-Id': 'question-4711' } });
    await server.close(0);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { requestId: 'question-4711', code: 'model_unavailable', msg: 'the model failed to answer' },
    ]);
  });

  it('if the model of a question is not configured, the in-process query service rejects the question before the event stream starts', async () => {
    const models = createModelSource(() => {
      throw new ModelNotConfigured('gpt_4o');
    });
    const { query } = await startInProcess({ models });
    await expect(query.answer(buildRequest(), NEVER)).rejects.toMatchObject({ code: 'model_not_configured' });
  });

  it('the in-process query service throws the caller’s abort reason from the stream, and counts the disconnect', async () => {
    const { query, metrics } = await startInProcess({ model: createScriptedModel(['Two ', 'years', SILENCE]) });
    const leaving = new AbortController();
    const reason = new Error('the caller disconnected');
    const events = await query.answer(buildRequest(), leaving.signal);
    const reading = (async () => {
      for await (const event of events) if (event.type === 'delta') leaving.abort(reason);
    })();
    await expect(reading).rejects.toBe(reason);
    expect(await metrics.registry.metrics()).toMatch(/quarry_answers_total\{outcome="left".*\} 1/);
  });

  it.each(['the rewriting', 'the embedding', 'the search', 'the reranking', 'the first text', 'the second text'])(
    'the in-process query service stops the work on an answer if the caller disconnects during %s',
    async (stage) => {
      const leaving = new AbortController();
      const reason = new Error('the caller disconnected');
      const passed: string[] = [];
      const reachStage = async (name: string): Promise<void> => {
        passed.push(name);
        if (name === stage) leaving.abort(reason);
        await Promise.resolve();
      };
      const { fragmentStore } = await createQueryContext({ documents });
      const fragments = ['one', 'two'].map((text) => createScoredFragment(text));
      const searchFragments = async (): Promise<readonly ScoredFragment[]> =>
        reachStage('the search').then(() => fragments);
      const rewriting = { query: 'And there?', history: [{ role: 'user', text: 'Hello' }] } as const;
      // This model ignores the signal, so that only the checks of the service end the answer.
      const model = {
        name: 'test',
        generate: async function* (call: ChatCall) {
          const isRewriting = call.messages[0]?.text.startsWith('<conversation>') === true;
          for (const name of isRewriting ? ['the rewriting'] : ['the first text', 'the second text', 'the end']) {
            await reachStage(name);
            yield { text: name };
          }
        },
      };
      const reranking = {
        reranker: { model: 'test', rerank: async () => reachStage('the reranking').then(() => [0.5, 0.4]) },
        ...{ candidates: 5, timeoutMs: 5_000 },
      };
      const embedder = {
        ...EMBEDDER,
        embedQuery: (text: string) => reachStage('the embedding').then(() => EMBEDDER.embedQuery(text)),
      };
      const store = { ...fragmentStore, searchLexical: searchFragments, searchDense: searchFragments };
      const { query } = await startInProcess({
        fragmentStore: store,
        model,
        reranking,
        getEmbedder: () => embedder,
        rewriteMs: 5_000,
      });
      const asked = Object.assign(createScope({}, EMBEDDING), question, rewriting);
      await expect(collectAll(await query.answer(asked, leaving.signal))).rejects.toBe(reason);
      expect(passed.lastIndexOf(stage)).toBeGreaterThanOrEqual(0);
      // Concurrent work may have started together with this stage, but no later stage has.
      expect([...new Set(passed)].at(-1)).toBe(stage);
    },
  );

  it('the in-process query service aborts the request to the model provider when the reader of the answer fails', async () => {
    const provider = await startFakeProvider();
    onTestFinished(() => provider.close());
    const connect = connectOpenAiCompatible({ baseUrl: `${provider.hangs}/v1`, apiKey: undefined });
    const { query } = await startInProcess({ model: createProviderModel('test/model', connect('a-model')) });
    const failure = new Error('the answer is too long');
    const reading = (async () => {
      for await (const event of await query.answer(buildRequest(), NEVER)) if (event.type === 'delta') throw failure;
    })();
    await expect(reading).rejects.toBe(failure);
    await provider.waitForDisconnect();
  });

  it('when the in-process query service closes, it ends running answers with the event `failed`', async () => {
    const { query } = await startInProcess({ model: createScriptedModel(['Two ', 'years', SILENCE]) });
    const events: AnswerEvent[] = [];
    for await (const event of await query.answer(buildRequest(), NEVER)) {
      if (events.push(event) === 1) await query.close(0);
    }
    expect(events.at(-1)).toMatchObject({ type: 'failed', code: 'service_stopping' });
  });
});
