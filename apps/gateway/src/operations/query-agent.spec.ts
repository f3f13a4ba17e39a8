import type { AnswerEvent } from '@quarry/contracts';
import { asc, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { expectEventually } from '../testing/expect-eventually.js';
import { conversations, messages } from '../database/tables/conversations.js';
import { buildCompletedEvent, streamEvents } from '../testing/fake-query-service.js';
import { createAgent, createDatastore, getStringField, uploadText } from '../testing/create-resources.js';
import { startTestGateway, type Tenant, type TestGateway } from '../testing/start-test-gateway.js';

const UNKNOWN_ID = '00000000-0000-7000-8000-00000000dead';

let test: TestGateway;
let tenant: Tenant;
let datastore: string;
let agent: string;

beforeAll(async () => {
  test = await startTestGateway();
}, 60_000);
afterAll(async () => test.close());
beforeEach(async () => {
  tenant = await test.createTenant();
  datastore = await createDatastore(tenant.api);
  agent = await createAgent(tenant.api, { datastoreIds: [datastore] });
});
const answerYes = (): AsyncIterable<AnswerEvent> =>
  streamEvents([{ type: 'delta', text: 'Yes.' }, buildCompletedEvent('Yes.')]);
afterEach(() => {
  test.query.refusal = undefined;
  test.query.answer = answerYes;
});

const askAgent = (body: object, id = agent) => tenant.api.post(`/api/agents/${id}/query`).send(body);

async function loadMessages(conversationId: string) {
  return test.gateway.db
    .select()
    .from(messages)
    .where(eq(messages.conversationId, conversationId))
    .orderBy(asc(messages.turn), asc(messages.role));
}

describe('POST /api/agents/{id}/query', () => {
  it('an agent query returns an answer with its sources in the documented shape, and stores question and answer', async () => {
    const file = await uploadText(tenant.api, datastore, 'x', 'a.txt');
    const rectangles = [{ page: 2, x: 0.1, y: 0.25, width: 0.5, height: 0.0125 }];
    const fragment = {
      rectangles,
      fragmentId: 'f1',
      documentKey: 'd',
      customId: 'c',
      source: null,
      page: 2,
      text: 'passage',
      score: 0.75,
    };
    const cited = { ...fragment, datasourceId: file, cited: true };
    const usage = { promptTokens: 30, completionTokens: 4 };
    test.query.answer = () =>
      streamEvents([buildCompletedEvent('Because.', { sources: [cited], usage, notes: ['not_reranked'] })]);
    const response = await askAgent({ query: 'Why?' });
    expect(response.status).toBe(200);
    const conversationId = getStringField(response, 'conversationId');
    const sources = [
      {
        chunk_id: 'f1',
        datasource_id: file,
        datasource_name: 'a.txt',
        datasource_type: 'file',
        document_key: 'a.txt',
        custom_id: 'c',
        source: expect.stringMatching(`^http://127.0.0.1:\\d+/api/datasources/${file}/original$`) as string,
        score: 0.75,
        page: 2,
        rectangles,
        text: 'passage',
        cited: true,
      },
    ];
    const messageId = getStringField(response, 'messageId');
    const visitorId = getStringField(response, 'visitorId');
    expect(response.body).toEqual({
      answer: 'Because.',
      conversationId,
      visitorId,
      sources,
      messageId,
      usage,
      answeredBy: 'model',
      notes: ['not_reranked'],
    });
    const stored = sources.map((source) => ({ ...source, source: null }));
    expect(await loadMessages(conversationId)).toMatchObject([
      { id: messageId, role: 'assistant', text: 'Because.', sources: stored, usage, state: 'complete', visitorId },
      { role: 'user', text: 'Why?', turn: 1, visitorId },
    ]);
  });

  it('an agent query uses the settings of the request, and the settings of the agent for fields that the request omits', async () => {
    const id = await createAgent(tenant.api, {
      datastoreIds: [datastore],
      modelName: 'gpt_4o',
      temperature: 0.1,
      systemPrompt: 'agent system',
      userPrompt: 'agent user',
      restrictToKnowledge: false,
      citationMarks: true,
    });
    await askAgent(
      { query: 'q', temperature: 0, maxTokens: 50, systemPrompt: 'mine', filters: { custom_ids: ['c'] } },
      id,
    );
    expect(test.query.questions.at(-1)).toEqual({
      organizationId: tenant.organizationId,
      datastores: [{ id: datastore }],
      filters: { custom_ids: ['c'] },
      query: 'q',
      history: [],
      generation: { modelName: 'gpt_4o', temperature: 0, maxTokens: 50 },
      restrictToKnowledge: false,
      citationMarks: true,
      systemPrompt: 'mine',
      userPrompt: 'agent user',
    });
  });

  it('an agent query with the deprecated `promptType` and `promptTemplate` ignores the prompts of the agent, and sets the header `Deprecation`', async () => {
    const id = await createAgent(tenant.api, { systemPrompt: 'agent system', userPrompt: 'agent user' });
    const response = await askAgent({ query: 'q', promptType: 'raw', promptTemplate: 'T {query}' }, id);
    expect(response.headers['deprecation']).toMatch(/^@\d+$/);
    const asked = test.query.questions.at(-1);
    expect(asked).toMatchObject({ promptType: 'raw', promptTemplate: 'T {query}' });
    expect(asked).not.toHaveProperty('systemPrompt');
    expect(asked).not.toHaveProperty('userPrompt');
    expect((await askAgent({ query: 'q', promptType: null }, id)).headers).not.toHaveProperty('deprecation');
  });

  it('an agent query treats blank prompts as absent', async () => {
    const id = await createAgent(tenant.api, { systemPrompt: 'agent system', userPrompt: 'agent user' });
    await askAgent({ query: 'q', systemPrompt: '', userPrompt: ' ', promptTemplate: '', promptType: null }, id);
    expect(test.query.questions.at(-1)).toMatchObject({ systemPrompt: 'agent system', userPrompt: 'agent user' });
  });

  it('an agent query continues a conversation, and sends the history of the conversation to the query service', async () => {
    const first = await askAgent({ query: 'one', visitorId: 'visitor-7' });
    expect(first.body).toMatchObject({ visitorId: 'visitor-7' });
    const conversationId = getStringField(first, 'conversationId');
    const second = await askAgent({ query: 'two', conversationId, visitorId: 'visitor-7' });
    expect(second.body).toMatchObject({ conversationId, visitorId: 'visitor-7' });
    await askAgent({ query: 'three', conversationId });
    expect(test.query.questions.at(-1)?.history).toEqual([
      { role: 'user', text: 'one' },
      { role: 'assistant', text: 'Yes.' },
      { role: 'user', text: 'two' },
      { role: 'assistant', text: 'Yes.' },
    ]);
    expect((await loadMessages(conversationId)).map(({ turn }) => turn)).toEqual([1, 1, 2, 2, 3, 3]);
  });

  it.each([[undefined], [null], ['']])(
    'an agent query creates a new conversation and visitor if their ids are %j',
    async (none) => {
      const [one, two] = [
        await askAgent({ query: 'q', conversationId: none, visitorId: none }),
        await askAgent({ query: 'q', conversationId: none, visitorId: none }),
      ];
      expect(getStringField(one, 'conversationId')).not.toBe(getStringField(two, 'conversationId'));
      expect(getStringField(one, 'visitorId')).not.toBe(getStringField(two, 'visitorId'));
    },
  );

  it('an agent query returns 404 for a conversation of another agent or organization', async () => {
    const other = await test.createTenant();
    const foreign = await other.api.post(`/api/agents/${await createAgent(other.api)}/query`).send({ query: 'q' });
    const colleague = await createAgent(tenant.api);
    const mine = getStringField(await askAgent({ query: 'q' }), 'conversationId');
    for (const [conversationId, id] of [
      [getStringField(foreign, 'conversationId'), agent],
      [mine, colleague],
      [UNKNOWN_ID, agent],
      ['made-up', agent],
    ] as const) {
      const response = await askAgent({ query: 'q', conversationId }, id);
      expect([response.status, getStringField(response, 'code')]).toEqual([404, 'not_found']);
      expect(getStringField(response, 'detail')).toContain(`no conversation ${conversationId}`);
    }
  });

  it.each([
    [{}, 'query'],
    [{ query: ' ' }, 'query'],
    [{ query: 'q', temperature: 1.01 }, 'temperature'],
    [{ query: 'q', temperature: -0.1 }, 'temperature'],
    [{ query: 'q', temperature: '0.5' }, 'temperature'],
    [{ query: 'q', presencePenalty: 2.1 }, 'presencePenalty'],
    [{ query: 'q', frequencyPenalty: -2.1 }, 'frequencyPenalty'],
    [{ query: 'q', topP: 1.1 }, 'topP'],
    [{ query: 'q', maxTokens: 0 }, 'maxTokens'],
    [{ query: 'q', modelName: 'gpt-4o' }, 'modelName'],
    [{ query: 'q', promptType: 'other' }, 'promptType'],
    [{ query: 'q', streaming: 'yes' }, 'streaming'],
    [{ query: 'q', conversationId: 7 }, 'conversationId'],
    [{ query: 'q', visitorId: 'x'.repeat(256) }, 'visitorId'],
  ])('an agent query refuses the body %j and names the field %s, with and without streaming', async (body, path) => {
    for (const streaming of [{}, { streaming: true }]) {
      const response = await askAgent({ ...streaming, ...body });
      expect(response.status).toBe(400);
      expect(response.type).toBe('application/problem+json');
      expect(response.body).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
    }
  });

  it('an agent query ignores unknown fields, and treats null fields as absent', async () => {
    const response = await askAgent({ query: 'q', temperature: null, filters: null, streaming: null, colour: 'red' });
    expect(response.status).toBe(200);
  });

  it('if the query service refuses a question, the agent query returns the refusal as a problem response, even if it requests a stream', async () => {
    test.query.refusal = {
      status: 424,
      body: { code: 'model_not_configured', detail: 'gpt_4o has no provider here.' },
    };
    for (const streaming of [true, false]) {
      const response = await askAgent({ query: 'q', streaming });
      expect(response.status).toBe(424);
      expect(response.body).toMatchObject({ code: 'model_not_configured', detail: 'gpt_4o has no provider here.' });
    }
    expect(await test.gateway.db.$count(conversations, eq(conversations.agentId, agent))).toBe(0);
  });

  it('if an answer fails, an agent query returns the code of the failure, stores the partial text, and omits the failed turn from later histories', async () => {
    const conversationId = getStringField(await askAgent({ query: 'one' }), 'conversationId');
    test.query.answer = () =>
      streamEvents([
        { type: 'delta', text: 'Half a' },
        { type: 'failed', code: 'model_unavailable', message: 'The model is unavailable.' },
      ]);
    const failed = await askAgent({ query: 'two', conversationId });
    expect(failed.status).toBe(503);
    expect(failed.body).toMatchObject({ code: 'model_unavailable', detail: 'The model is unavailable.' });
    expect(await loadMessages(conversationId)).toMatchObject([
      {},
      {},
      { text: 'Half a', state: 'failed' },
      { text: 'two' },
    ]);
    test.query.answer = answerYes;
    await askAgent({ query: 'two again', conversationId });
    expect(test.query.questions.at(-1)?.history).toHaveLength(2);
  });

  it.each([
    ['context_too_long', 400],
    ['model_rate_limited', 503],
    ['model_refused', 502],
    ['dependency_unavailable', 503],
    ['service_stopping', 503],
    ['internal_error', 500],
    ['answer_failed', 502],
  ])('if an answer fails with the code %s, an agent query returns the status %i', async (code, status) => {
    test.query.answer = () => streamEvents([{ type: 'failed', code, message: 'Why.' }]);
    const response = await askAgent({ query: 'q' });
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({ code, detail: 'Why.' });
  });

  it.each([false, true])(
    'if an answer fails with an undocumented code, a client with `streaming: %s` receives `answer_failed` without the message, which is logged',
    async (streaming) => {
      const internal = `connect ECONNREFUSED 10.0.0.7:6333 (${String(streaming)})`;
      test.query.answer = () => streamEvents([{ type: 'failed', code: 'something_new', message: internal }]);
      const { text } = await askAgent({ query: 'q', streaming });
      expect(text).toContain('answer_failed');
      expect(text).not.toContain('ECONNREFUSED');
      expect(test.logged.join()).toContain(`something_new: ${internal}`);
    },
  );

  it('an agent query returns an error if the stream of the query service ends without a final event', async () => {
    test.query.answer = async function* () {
      yield { type: 'delta', text: 'Half' };
      throw new Error('crashed');
    };
    expect((await askAgent({ query: 'q' })).status).toBe(503);
    test.query.answer = () => streamEvents([{ type: 'delta', text: 'no end' }]);
    const broken = await askAgent({ query: 'q' });
    expect([broken.status, getStringField(broken, 'code')]).toEqual([502, 'answer_failed']);
  });

  it('an agent query replaces characters of question and answer that PostgreSQL cannot store', async () => {
    test.query.answer = () => streamEvents([buildCompletedEvent('a\0b')]);
    const response = await askAgent({ query: 'q\0' });
    expect(response.status).toBe(200);
    expect(await loadMessages(getStringField(response, 'conversationId'))).toMatchObject([
      { text: 'a\uFFFDb' },
      { text: 'q\uFFFD' },
    ]);
  });

  it('two parallel questions of a conversation are stored in the order of their arrival, whichever is answered first', async () => {
    const conversationId = getStringField(await askAgent({ query: 'zero' }), 'conversationId');
    const slow = Promise.withResolvers<undefined>();
    test.query.answer = async function* ({ query }) {
      if (query === 'slow') await slow.promise;
      yield buildCompletedEvent(`answer to ${query}`);
    };
    const asked = test.query.questions.length;
    const first = askAgent({ query: 'slow', conversationId }).then((response) => response);
    await expectEventually(() => test.query.questions.length).toBe(asked + 1);
    await askAgent({ query: 'fast', conversationId });
    slow.resolve(undefined);
    await first;
    const order = (await loadMessages(conversationId)).filter(({ role }) => role === 'user').map(({ text }) => text);
    expect(order).toEqual(['zero', 'slow', 'fast']);
    await askAgent({ query: 'last', conversationId });
    expect(test.query.questions.at(-1)?.history.map(({ text }) => text)).toEqual([
      'zero',
      'Yes.',
      'slow',
      'answer to slow',
      'fast',
      'answer to fast',
    ]);
  });
});
