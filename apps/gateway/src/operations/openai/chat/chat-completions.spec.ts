import type { AnswerEvent } from '@quarry/contracts';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { messages } from '../../../database/tables/conversations.js';
import { organizations } from '../../../database/tables/organizations.js';
import { expectEventually } from '../../../testing/expect-eventually.js';
import { buildCompletedEvent, streamEvents } from '../../../testing/fake-query-service.js';
import { createAgent, uploadText } from '../../../testing/create-resources.js';
import { scriptAnswers } from '../../../testing/script-answers.js';
import { setUpTenant } from '../../../testing/set-up-tenant.js';

const used = setUpTenant();
const QUESTION = [{ role: 'user', content: 'Why?' }];

beforeEach(() => {
  const provider = { provider: 'openai', source: 'environment', model: null } as const;
  used.test.query.environmentProviders = [{ ...provider, baseUrl: 'https://openai.example/v1' }];
  used.test.query.models = ['gpt_4o'];
});

const askQuestion = (body: object, api = used.tenant.api) =>
  api.post('/v1/chat/completions').send({ model: `agent:${used.agent}`, messages: QUESTION, ...body });

const getLastQuestion = () => used.test.query.questions.at(-1);

async function loadMessages() {
  return used.test.gateway.db
    .select()
    .from(messages)
    .where(eq(messages.organizationId, used.tenant.organizationId))
    .orderBy(messages.place);
}

/** Returns the data of the events of a streamed response. */
function readEventData(text: string): readonly unknown[] {
  return text.split('\n\n').flatMap((frame) => {
    const data = /^data: (.*)$/m.exec(frame)?.[1];
    return data === undefined ? [] : [data === '[DONE]' ? data : (JSON.parse(data) as unknown)];
  });
}

describe('POST /v1/chat/completions', () => {
  it("POST /v1/chat/completions returns the answer of an agent in OpenAI's format, and stores the answer if the request has `store: true`", async () => {
    const response = await askQuestion({ store: true, metadata: { a: 'b' } });
    expect(response.status).toBe(200);
    const [question, answer] = await loadMessages();
    expect(response.body).toEqual({
      id: `chatcmpl-${answer?.id ?? ''}`,
      object: 'chat.completion',
      created: expect.any(Number) as number,
      model: `agent:${used.agent}`,
      service_tier: 'default',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Yes.', refusal: null, annotations: [] },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        ...{ prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
        prompt_tokens_details: { cached_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
      metadata: { a: 'b' },
      sources: [],
      conversation_id: question?.conversationId,
      notes: [],
    });
    expect(response.headers['quarry-conversation-id']).toBe(question?.conversationId);
    expect(question).toMatchObject({ role: 'user', text: 'Why?' });
    expect(Math.abs((response.body as { created: number }).created * 1_000 - Date.now())).toBeLessThan(60_000);
  });

  it('POST /v1/chat/completions sends the messages of the client as prompt, history and question, with the settings of the client', async () => {
    await askQuestion({
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'One?' },
        { role: 'assistant', content: null },
        { role: 'assistant', content: 'First.', annotations: [], refusal: null },
        { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
        { role: 'user', content: [{ type: 'text', text: 'Two' }] },
        { role: 'user', content: 'and three?', name: 'ann' },
      ],
      ...{ temperature: 0.3, top_p: 0.5, max_completion_tokens: 50, presence_penalty: 1, frequency_penalty: -1 },
    });
    expect(getLastQuestion()).toMatchObject({
      datastores: [{ id: used.datastore }],
      query: 'Two\n\nand three?',
      history: [
        { role: 'user', text: 'One?' },
        { role: 'assistant', text: '' },
        { role: 'assistant', text: 'First.' },
      ],
      systemPrompt: 'Be kind.\n\nBe brief.',
      generation: { temperature: 0.3, topP: 0.5, maxTokens: 50, presencePenalty: 1, frequencyPenalty: -1 },
    });
  });

  it('POST /v1/chat/completions streams the answer, the annotations and the usage', async () => {
    const response = await askQuestion({ stream: true, stream_options: { include_usage: true } });
    expect(response.type).toBe('text/event-stream');
    const chunks = readEventData(response.text) as { choices: { delta: object; finish_reason: string | null }[] }[];
    expect(chunks.at(-1)).toBe('[DONE]');
    expect(chunks.slice(0, -2).map(({ choices }) => choices[0])).toMatchObject([
      { delta: { role: 'assistant', content: '' }, finish_reason: null },
      { delta: { content: 'Yes.' }, finish_reason: null },
      { delta: { annotations: [] }, finish_reason: 'stop' },
    ]);
    expect(chunks.at(-2)).toMatchObject({ choices: [], usage: { total_tokens: 12 } });
    expect(chunks[0]).toMatchObject({ object: 'chat.completion.chunk', usage: null });
  });

  it('POST /v1/chat/completions sends the usage in the stream only if the client requests it', async () => {
    const chunks = readEventData((await askQuestion({ stream: true })).text);
    for (const chunk of chunks) expect(chunk).not.toHaveProperty('usage');
  });

  it('POST /v1/chat/completions does not split a character between two events', async () => {
    const deltas = ['a\ud83d', '\ude00b'].map((text): AnswerEvent => ({ type: 'delta', text }));
    used.test.query.answer = () => streamEvents([...deltas, buildCompletedEvent('a\ud83d\ude00b')]);
    const chunks = readEventData((await askQuestion({ stream: true })).text) as {
      choices?: { delta: { content?: string } }[];
    }[];
    const pieces = chunks.flatMap(({ choices }) => choices?.[0]?.delta.content ?? []);
    expect(pieces).toEqual(['', 'a', '\ud83d\ude00b']);
  });

  it('POST /v1/chat/completions returns annotations that cite web pages and files at the citation marks of the answer', async () => {
    const file = await uploadText(used.tenant.api, used.datastore, 'x', 'a.txt');
    const fragment = { datasourceId: file, documentKey: 'd', customId: null, page: null, rectangles: [], score: 0.5 };
    const sources = [
      { ...fragment, fragmentId: 'f1', source: null, text: 'one', cited: true },
      { ...fragment, fragmentId: 'f2', source: 'https://example.com/b', text: 'two', cited: true },
    ];
    used.test.query.answer = () => streamEvents([buildCompletedEvent('So [2] it is [1].', { sources })]);
    const body: unknown = (await askQuestion({})).body;
    expect(body).toMatchObject({ sources: [{ chunk_id: 'f1' }, { chunk_id: 'f2' }] });
    const { choices } = body as { choices: { message: { annotations: unknown } }[] };
    const originalUrl = expect.stringContaining(`/api/datasources/${file}/original`) as string;
    expect(choices[0]?.message.annotations).toEqual([
      {
        type: 'url_citation',
        url_citation: { start_index: 3, end_index: 6, url: 'https://example.com/b', title: 'a.txt' },
      },
      {
        type: 'url_citation',
        url_citation: { start_index: 13, end_index: 16, url: originalUrl, title: 'a.txt' },
        file_citation: { file_id: `file-${file}`, filename: 'a.txt', index: 16 },
      },
    ]);
  });

  it('POST /v1/chat/completions returns annotations that span the whole answer if the answer has no citation marks', async () => {
    const file = await uploadText(used.tenant.api, used.datastore, 'x', 'a.txt');
    const fragment = { datasourceId: file, documentKey: 'd', customId: null, page: null, rectangles: [], score: 0.5 };
    const sources = [{ ...fragment, fragmentId: 'f1', source: 'https://example.com/b', text: 'one', cited: true }];
    used.test.query.answer = () => streamEvents([buildCompletedEvent('So.', { sources })]);
    const body: unknown = (await askQuestion({})).body;
    expect(body).toMatchObject({
      choices: [{ message: { annotations: [{ url_citation: { start_index: 0, end_index: 3 } }] } }],
    });
  });

  it.each([{}, { store: null }, { store: false }])(
    'POST /v1/chat/completions stores no message if `store` is not true in the request, as in %j',
    async (body) => {
      const response = await askQuestion(body);
      expect(response.body).toMatchObject({ choices: [{}], conversation_id: null });
      expect(response.headers).not.toHaveProperty('quarry-conversation-id');
      expect(await loadMessages()).toEqual([]);
    },
  );

  it('a chat completion of a configured model uses no datastores, stores nothing and counts as a query', async () => {
    const response = await askQuestion({ model: 'gpt_4o' });
    expect(response.body).toMatchObject({ model: 'gpt_4o', conversation_id: null });
    expect(getLastQuestion()).toMatchObject({
      datastores: [],
      generation: { modelName: 'gpt_4o' },
      restrictToKnowledge: false,
      promptType: 'raw',
    });
    expect(await loadMessages()).toEqual([]);
    expect((await used.tenant.api.get('/api/usage')).body).toMatchObject({ queries: { used: 1 } });
  });

  it('a chat completion whose answer reached the token limit has the `finish_reason` `length`', async () => {
    used.test.query.answer = () => streamEvents([buildCompletedEvent('So', { notes: ['answer_truncated'] })]);
    expect((await askQuestion({})).body).toMatchObject({
      choices: [{ finish_reason: 'length' }],
      notes: ['answer_truncated'],
    });
  });

  it('POST /v1/chat/completions accepts the slug of an agent as `model`, and refuses a slug that two agents have', async () => {
    const id = await createAgent(used.tenant.api, { name: 'Küche & Bad' });
    expect((await askQuestion({ model: 'küche-bad' })).status).toBe(200);
    expect((await used.tenant.api.get('/v1/models/küche-bad')).body).toMatchObject({ id: `agent:${id}` });
    await createAgent(used.tenant.api, { name: 'küche, bad' });
    const refused = await askQuestion({ model: 'küche-bad' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(`agent:${id}`);
  });

  it('POST /v1/chat/completions returns the same answer to a repeated request with the same Idempotency-Key', async () => {
    const sendRequest = (body: object) => askQuestion(body).set('Idempotency-Key', 'key-1');
    const first = await sendRequest({});
    const asked = used.test.query.questions.length;
    expect((await sendRequest({})).body).toEqual(first.body);
    expect(used.test.query.questions).toHaveLength(asked);
    expect((await sendRequest({ temperature: 0 })).status).toBe(409);
  });

  it('POST /v1/chat/completions sends the error of a failed answer as an event of the stream', async () => {
    used.test.query.answer = () =>
      streamEvents([
        { type: 'delta', text: 'So' },
        { type: 'failed', code: 'model_interrupted', message: 'The model stopped.' },
      ]);
    const data = readEventData((await askQuestion({ stream: true })).text);
    expect(data.at(-1)).toEqual({
      error: { message: 'The model stopped.', type: 'server_error', param: null, code: 'model_interrupted' },
    });
    expect(await askQuestion({})).toMatchObject({ status: 502, body: { error: { code: 'model_interrupted' } } });
  });

  it.each([
    ['model_refused', 'false'],
    ['model_unavailable', undefined],
  ])(
    'the response to a chat completion that failed with %s has the value %s in the header `x-should-retry`, which SDKs obey',
    async (code, expected) => {
      used.test.query.answer = () => streamEvents([{ type: 'failed', code, message: 'Why.' }]);
      const { status, headers } = await askQuestion({});
      expect([status >= 500, headers['x-should-retry']]).toEqual([true, expected]);
    },
  );

  it('POST /v1/chat/completions stops the model when the client disconnects, and keeps the partial answer', async () => {
    const script = scriptAnswers(used.test);
    const leaving = new AbortController();
    const response = await fetch(`${used.test.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${used.tenant.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ model: `agent:${used.agent}`, messages: QUESTION, stream: true, store: true }),
      signal: leaving.signal,
    });
    script.send('Once ');
    await response.body?.getReader().read();
    leaving.abort();
    await script.aborted;
    await expectEventually(loadMessages).toMatchObject([
      { state: 'interrupted' },
      { text: 'Once ', state: 'interrupted' },
    ]);
  });

  it.each([
    [{ messages: [] }, 'messages', 'invalid_value'],
    [{ messages: [{ role: 'assistant', content: 'a' }] }, 'messages', 'invalid_value'],
    [{ messages: [{ role: 'tool', content: 'a' }] }, 'messages[0].role', 'invalid_value'],
    [{ messages: [{ role: 'user', content: ' ' }] }, 'messages[0].content', 'invalid_value'],
    [{ messages: [{ role: 'user', content: 'a', tool_calls: [{}] }] }, 'messages[0].tool_calls', 'invalid_value'],
    [
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: {} }] }] },
      'messages[0].content[0].type',
      'invalid_value',
    ],
    [{ model: '' }, 'model', 'invalid_value'],
    [{ temperature: 1.5 }, 'temperature', 'invalid_value'],
    [{ stream_options: { include_usage: true } }, 'stream_options', 'invalid_value'],
    [{ tools: [{ type: 'function' }] }, 'tools', 'unsupported_parameter'],
    [{ metadata: { a: 1 } }, 'metadata.a', 'invalid_value'],
    [{ n: 2 }, 'n', 'unsupported_parameter'],
    [{ seed: 7 }, 'seed', 'unsupported_parameter'],
    [{ response_format: { type: 'json_object' } }, 'response_format', 'unsupported_parameter'],
    [{ stop: 'x' }, 'stop', 'unsupported_parameter'],
    [{ made_up: 1 }, 'made_up', 'unknown_parameter'],
  ])('POST /v1/chat/completions refuses %j, and names the parameter %s', async (body, param, code) => {
    const asked = used.test.query.questions.length;
    const response = await askQuestion(body);
    const refused: unknown = response.body;
    expect([response.status, refused]).toMatchObject([400, { error: { type: 'invalid_request_error', param, code } }]);
    expect((refused as { error: { message: string } }).error.message).toContain(param.split('[')[0]);
    expect(used.test.query.questions).toHaveLength(asked);
  });

  it('POST /v1/chat/completions accepts unsupported parameters whose values have no effect', async () => {
    const inert = {
      n: 1,
      tools: [],
      logprobs: false,
      stop: null,
      response_format: { type: 'text' },
      metadata: { a: 'b' },
    };
    expect((await askQuestion(inert)).status).toBe(200);
  });

  it.each(['gpt_4_1', 'gpt-4o', 'agent:nothing'])(
    'POST /v1/chat/completions refuses the unknown model %s with 404',
    async (model) => {
      expect(await askQuestion({ model })).toMatchObject({
        status: 404,
        body: { error: { code: 'model_not_found', param: 'model' } },
      });
    },
  );

  it('POST /v1/chat/completions refuses a configured model for a key that is limited to certain agents', async () => {
    const { key } = await used.tenant.addKey({ agentIds: [used.agent] });
    expect((await askQuestion({}, used.test.createApi(key))).status).toBe(200);
    expect((await askQuestion({ model: 'gpt_4o' }, used.test.createApi(key))).status).toBe(404);
  });

  it('POST /v1/chat/completions refuses a question above the monthly limit with 429 and a header that keeps SDKs from repeating the request', async () => {
    const { db } = used.test.gateway;
    const own = eq(organizations.id, used.tenant.organizationId);
    await db.update(organizations).set({ agentQueriesPerMonth: 0 }).where(own);
    const response = await askQuestion({});
    expect([response.status, response.body]).toMatchObject([
      429,
      { error: { type: 'insufficient_quota', code: 'insufficient_quota' } },
    ]);
    expect(response.headers['x-should-retry']).toBe('false');
  });
});
