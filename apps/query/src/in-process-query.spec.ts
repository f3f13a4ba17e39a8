import type { AnswerEvent, AnswerRequest } from '@quarry/contracts';
import type { ScoredFragment } from '@quarry/fragment-store';
import { describe, expect, it } from 'vitest';
import type { ChatCall } from './models/chat-model.js';
import { ModelNotConfigured } from './models/model-choice.js';
import { createInProcessQuery } from './in-process-query.js';
import { EMBEDDER, EMBEDDING, scope, scored } from './testing/knowledge.js';
import { queryContext, type ContextParts } from './testing/query-context.js';
import { scriptedModel, SILENCE } from './testing/scripted-model.js';

const NEVER = new AbortController().signal;
const documents = [{ fragments: ['The warranty lasts two years.'], datasourceId: 's1' }];
const question = { query: 'How long is the warranty?', history: [], generation: {}, restrictToKnowledge: true };
const request = (): AnswerRequest => Object.assign(scope(), question);

async function here(parts: ContextParts = {}) {
  const context = await queryContext({ documents, ...parts });
  return { query: createInProcessQuery(context), metrics: context.metrics };
}

async function allOf(events: AsyncIterable<AnswerEvent>): Promise<AnswerEvent[]> {
  const all: AnswerEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

describe('the query service in the gateway’s process', () => {
  it('returns the same results as over HTTP', async () => {
    const { query } = await here();
    const found = await query.search(Object.assign(scope(), { query: 'warranty', topK: 3 }), NEVER);
    expect(found).toMatchObject({
      fragments: [{ datasourceId: 's1', text: 'The warranty lasts two years.' }],
      notes: [],
    });
  });

  it('fails if the store is unavailable', async () => {
    const { fragmentStore } = await queryContext();
    const unavailable = { ...fragmentStore, searchLexical: () => Promise.reject(new Error('refused')) };
    const { query } = await here({ fragmentStore: unavailable });
    const searching = query.search(Object.assign(scope(), { query: 'warranty', topK: 3 }), NEVER);
    await expect(searching).rejects.toMatchObject({ code: 'dependency_unavailable' });
  });

  it('answers, and counts the answer', async () => {
    const { query, metrics } = await here({ model: scriptedModel(['Two years [1].']) });
    const events = await allOf(await query.answer(request(), NEVER));
    expect(events.at(-1)).toMatchObject({ type: 'completed', answer: 'Two years.', sources: [{ cited: true }] });
    expect(await metrics.registry.metrics()).toContain('quarry_answers_total{outcome="model"');
  });

  it('refuses a model that is not configured before it starts', async () => {
    const models = {
      choose: () => {
        throw new ModelNotConfigured('gpt_4o');
      },
    };
    const { query } = await here({ models });
    await expect(query.answer(request(), NEVER)).rejects.toMatchObject({ code: 'model_not_configured' });
  });

  it('ends with the caller’s abort reason, and counts the disconnect', async () => {
    const { query, metrics } = await here({ model: scriptedModel(['Two ', 'years', SILENCE]) });
    const leaving = new AbortController();
    const reason = new Error('the caller left');
    const events = await query.answer(request(), leaving.signal);
    const reading = (async () => {
      for await (const event of events) if (event.type === 'delta') leaving.abort(reason);
    })();
    await expect(reading).rejects.toBe(reason);
    expect(await metrics.registry.metrics()).toMatch(/quarry_answers_total\{outcome="left".*\} 1/);
  });

  it.each(['the rewriting', 'the embedding', 'the search', 'the reranking', 'the first text', 'the second text'])(
    'stops its work if the caller disconnects during %s',
    async (stage) => {
      const leaving = new AbortController();
      const reason = new Error('the caller left');
      const passed: string[] = [];
      const at = async (name: string): Promise<void> => {
        passed.push(name);
        if (name === stage) leaving.abort(reason);
        await Promise.resolve();
      };
      const { fragmentStore } = await queryContext({ documents });
      const fragments = ['one', 'two'].map((text) => scored(text));
      const search = async (): Promise<readonly ScoredFragment[]> => at('the search').then(() => fragments);
      const rewriting = { query: 'And there?', history: [{ role: 'user', text: 'Hello' }] } as const;
      // The fake checks the signal at the next piece, as a provider does.
      const model = {
        name: 'test',
        generate: async function* (call: ChatCall) {
          const isRewriting = call.messages[0]?.text.startsWith('<conversation>') === true;
          for (const name of isRewriting ? ['the rewriting'] : ['the first text', 'the second text', 'the end']) {
            await at(name);
            yield { text: name };
          }
        },
      };
      const reranking = {
        reranker: { model: 'test', rerank: async () => at('the reranking').then(() => [0.5, 0.4]) },
        ...{ candidates: 5, timeoutMs: 5_000 },
      };
      const embedder = {
        ...EMBEDDER,
        embedQuery: (text: string) => at('the embedding').then(() => EMBEDDER.embedQuery(text)),
      };
      const store = { ...fragmentStore, searchLexical: search, searchDense: search };
      const { query } = await here({
        fragmentStore: store,
        model,
        reranking,
        embedderFor: () => embedder,
        rewriteMs: 5_000,
      });
      const asked = Object.assign(scope({}, EMBEDDING), question, rewriting);
      await expect(allOf(await query.answer(asked, leaving.signal))).rejects.toBe(reason);
      expect(passed.lastIndexOf(stage)).toBeGreaterThanOrEqual(0);
      // Concurrent work may have started together with this stage, but no later stage has.
      expect([...new Set(passed)].at(-1)).toBe(stage);
    },
  );

  it('ends answers with failed when it closes', async () => {
    const { query } = await here({ model: scriptedModel(['Two ', 'years', SILENCE]) });
    const events: AnswerEvent[] = [];
    for await (const event of await query.answer(request(), NEVER)) {
      if (events.push(event) === 1) await query.close(0);
    }
    expect(events.at(-1)).toMatchObject({ type: 'failed', code: 'service_stopping' });
  });
});
