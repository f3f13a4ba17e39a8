import type { AnswerEvent } from '@quarry/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildCompletedEvent, generateEvents } from '../../../testing/fake-query-service.js';
import { makeAgent, makeDatastore, uploadText } from '../../../testing/make.js';
import { useTenant } from '../../../testing/use-tenant.js';

const used = useTenant();

beforeEach(() => {
  const provider = { provider: 'openai', source: 'environment', model: null } as const;
  used.test.query.environmentProviders = [{ ...provider, baseUrl: 'https://openai.example/v1' }];
  used.test.query.models = ['gpt_4o'];
});

/** The fields of a response that the tests read. */
interface Body {
  readonly id: string;
  readonly status: string;
  readonly conversation: { readonly id: string } | null;
  readonly output: readonly {
    readonly content?: readonly { readonly text: string; readonly annotations: unknown }[];
  }[];
}

const ask = (body: object, api = used.tenant.api) =>
  api.post('/v1/responses').send({ model: `agent:${used.agent}`, input: 'Why?', ...body });

/** Asks and returns the response. */
async function create(body: object): Promise<Body> {
  const response = await ask(body);
  expect([response.status, response.text]).toMatchObject([200, expect.any(String)]);
  return response.body as Body; // the tests compare the fields
}

const getLastQuestion = () => used.test.query.questions.at(-1);
const answer = (text: string, more: Parameters<typeof buildCompletedEvent>[1] = {}): void => {
  const deltas = text === '' ? [] : [{ type: 'delta', text } as const];
  used.test.query.answer = () => generateEvents([...deltas, buildCompletedEvent(text, more)]);
};

interface StreamEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly [field: string]: unknown;
}

/** Returns the events of a streamed response. */
function readEvents(text: string): readonly StreamEvent[] {
  const frames = text.split('\n\n').filter((frame) => frame !== '');
  return frames.map((frame) => {
    const [, event, data = ''] = /^event: (.*)\ndata: (.*)$/.exec(frame) ?? [];
    const parsed = JSON.parse(data) as StreamEvent; // the tests compare the fields
    expect(parsed.type).toBe(event);
    return parsed;
  });
}

/** Uploads a file and returns the fragments of an answer that cites it and a page. */
async function makeSources() {
  const file = await uploadText(used.tenant.api, used.datastore, 'x', 'a.txt');
  const fragment = { datasourceId: file, documentKey: 'd', customId: null, page: null, rectangles: [], score: 0.5 };
  const sources = [
    { ...fragment, fragmentId: 'f1', source: null, text: 'one', cited: true },
    { ...fragment, fragmentId: 'f2', source: 'https://example.com/b', text: 'two', cited: true },
  ];
  return { file, sources };
}

describe('POST /v1/responses', () => {
  it('returns the answer of an agent in the shape of OpenAI, and stores it', async () => {
    const created = await create({ metadata: { a: 'b' }, temperature: 0.3, max_output_tokens: 50, user: 'ann' });
    const messageId = created.id.slice('resp_'.length);
    expect(created).toMatchObject({
      object: 'response',
      status: 'completed',
      error: null,
      model: `agent:${used.agent}`,
      metadata: { a: 'b' },
      temperature: 0.3,
      max_output_tokens: 50,
      store: true,
      previous_response_id: null,
      usage: { input_tokens: 10, output_tokens: 2, total_tokens: 12 },
      output: [
        {
          type: 'message',
          id: `msg_${messageId}`,
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'Yes.', annotations: [], logprobs: [] }],
        },
      ],
    });
    expect(getLastQuestion()).toMatchObject({ query: 'Why?', generation: { temperature: 0.3, maxTokens: 50 } });
    const conversation = created.conversation?.id.slice('conv_'.length) ?? '';
    const listed = await used.tenant.api.get(`/api/conversations/${conversation}/messages`);
    expect(listed.body).toMatchObject({
      items: [
        { text: 'Why?', visitorId: 'ann' },
        { id: messageId, text: 'Yes.' },
      ],
    });
    expect((await used.tenant.api.get(`/v1/responses/${created.id}`)).body).toEqual(created);
  });

  it('sends instructions and system messages as prompt, and earlier messages as history', async () => {
    await ask({
      instructions: 'Be kind.',
      input: [
        { role: 'developer', content: 'Be brief.' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'One?' }] },
        { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: ['One?'] },
        {
          type: 'message',
          id: 'm',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: '1' }],
        },
        { role: 'user', content: 'Two?' },
      ],
    });
    expect(getLastQuestion()).toMatchObject({
      systemPrompt: 'Be kind.\n\nBe brief.',
      history: [
        { role: 'user', text: 'One?' },
        { role: 'assistant', text: '1' },
      ],
      query: 'Two?',
    });
  });

  it('searches the vector stores of file_search in place of those of the agent', async () => {
    const store = await makeDatastore(used.tenant.api);
    const filters = { type: 'eq', key: 'lang', value: 'en' };
    const tool = { type: 'file_search', vector_store_ids: [`vs_${store}`], max_num_results: 3, filters };
    const { sources, file } = await makeSources();
    answer('So [1].', { sources });
    const ranked = { ...tool, ranking_options: { ranker: 'auto', score_threshold: 0.4 } };
    const request = { tools: [ranked], tool_choice: 'required', include: ['file_search_call.results'] };
    const created = await create(request);
    const scope = { datastores: [{ id: store }], filters: { metadata: filters }, maxSources: 3, minScore: 0.4 };
    expect(getLastQuestion()).toMatchObject(scope);
    expect(created).toMatchObject({ tools: [ranked], tool_choice: 'required' });
    expect(created.output[0]).toEqual({
      type: 'file_search_call',
      id: created.id.replace('resp_', 'fs_'),
      status: 'completed',
      queries: ['Why?'],
      results: [
        { file_id: `file-${file}`, filename: 'a.txt', score: 0.5, text: 'one', attributes: {} },
        { file_id: `file-${file}`, filename: 'a.txt', score: 0.5, text: 'two', attributes: {} },
      ],
    });
    const get = (query: string) => used.tenant.api.get(`/v1/responses/${created.id}${query}`);
    expect((await get('?include[]=file_search_call.results')).body).toEqual(created);
    expect((await get('')).body).toMatchObject({ output: [{ results: null }, {}] });
    expect((await get('?include=made_up')).status).toBe(400);
  });

  it('cites files and pages at the marks of the text', async () => {
    const { sources, file } = await makeSources();
    answer('So [2] it is [1].', { sources });
    const { output } = await create({});
    expect(output[0]?.content?.[0]?.annotations).toEqual([
      { type: 'url_citation', url: 'https://example.com/b', title: 'a.txt', start_index: 3, end_index: 6 },
      { type: 'file_citation', file_id: `file-${file}`, filename: 'a.txt', index: 16 },
    ]);
  });

  it('streams every event of a response in order', async () => {
    const { sources } = await makeSources();
    answer('So [2].', { sources });
    const tools = [{ type: 'file_search', vector_store_ids: [`vs_${used.datastore}`] }];
    const response = await ask({ stream: true, tools, include: ['file_search_call.results'] });
    expect(response.type).toBe('text/event-stream');
    const events = readEvents(response.text);
    expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, at) => at));
    expect(events.map(({ type }) => type.replace('response.', ''))).toEqual([
      ...['created', 'in_progress'],
      ...['output_item.added', 'file_search_call.in_progress', 'file_search_call.searching'],
      ...['file_search_call.completed', 'output_item.added', 'content_part.added', 'output_text.delta'],
      ...['output_text.annotation.added', 'output_text.done', 'content_part.done', 'output_item.done'],
      ...['output_item.done', 'completed'],
    ]);
    const { response: last } = events.at(-1) as unknown as { response: Body };
    expect(last).toMatchObject({ status: 'completed', output: [{ results: [{}, {}] }, { type: 'message' }] });
    const done = events.filter(({ type }) => type === 'response.output_item.done');
    expect(done.map(({ item }) => item)).toEqual([last.output[1], last.output[0]]);
    const stored = await used.tenant.api.get(`/v1/responses/${last.id}?include=file_search_call.results`);
    expect(stored.body).toEqual(last);
  });

  it('sends a failed answer as an event, and as an error without a stream', async () => {
    const events: AnswerEvent[] = [
      { type: 'delta', text: 'So' },
      { type: 'failed', code: 'model_interrupted', message: 'The model stopped.' },
    ];
    used.test.query.answer = () => generateEvents(events);
    const sent = readEvents((await ask({ stream: true })).text);
    const failed = { status: 'failed', error: { code: 'model_interrupted', message: 'The model stopped.' } };
    expect(sent.at(-1)).toMatchObject({ type: 'response.failed', response: failed });
    const { response } = sent.at(-1) as unknown as { response: Body };
    const stored = await used.tenant.api.get(`/v1/responses/${response.id}`);
    expect(stored.body).toMatchObject({ status: 'failed', error: {}, output: [{ content: [{ text: 'So' }] }] });
    expect(await ask({})).toMatchObject({ status: 502, body: { error: { code: 'model_interrupted' } } });
  });

  it('a response is incomplete at the token limit', async () => {
    answer('So', { notes: ['answer_truncated'] });
    const incomplete = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    const created = await create({});
    expect(created).toMatchObject({ ...incomplete, output: [{ status: 'incomplete' }] });
    expect((await used.tenant.api.get(`/v1/responses/${created.id}`)).body).toEqual(created);
    expect(readEvents((await ask({ stream: true })).text).at(-1)).toMatchObject({ type: 'response.incomplete' });
  });

  it('stores nothing with store: false, and can continue a stored response', async () => {
    const { id } = await create({ input: 'One?' });
    const created = await create({ input: 'Two?', previous_response_id: id, store: false });
    expect(created).toMatchObject({ conversation: null, store: false });
    expect(getLastQuestion()).toMatchObject({ history: [{ text: 'One?' }, { text: 'Yes.' }] });
    expect((await used.tenant.api.get(`/v1/responses/${created.id}`)).status).toBe(404);
  });

  it('a configured model answers from the vector stores of file_search, and stores nothing', async () => {
    const tools = [{ type: 'file_search', vector_store_ids: [`vs_${used.datastore}`] }];
    const created = await create({ model: 'gpt_4o', tools });
    expect(created).toMatchObject({ model: 'gpt_4o', store: false, conversation: null });
    const request = { datastores: [{ id: used.datastore }], restrictToKnowledge: false };
    expect(getLastQuestion()).toMatchObject({ ...request, generation: { modelName: 'gpt_4o' } });
    expect(getLastQuestion()).not.toHaveProperty('promptType');
    for (const [name, value] of Object.entries({ store: true, previous_response_id: 'resp_x', conversation: 'conv_x' }))
      expect(await ask({ model: 'gpt_4o', [name]: value })).toMatchObject({
        status: 400,
        body: { error: { param: name, code: 'unsupported_value' } },
      });
  });

  it('repeats a response for the same Idempotency-Key', async () => {
    const send = () => ask({}).set('Idempotency-Key', 'key-1');
    const first = await send();
    const asked = used.test.query.questions.length;
    expect((await send()).body).toEqual(first.body);
    expect(used.test.query.questions).toHaveLength(asked);
  });

  it.each([
    [{ input: ' ' }, 'input', 'invalid_value'],
    [{ input: [] }, 'input', 'invalid_value'],
    [{ input: [{ role: 'user', content: ' ' }] }, 'input[0].content', 'invalid_value'],
    [{ input: [{ type: 'function_call_output', call_id: 'c', output: '' }] }, 'input[0].type', 'invalid_value'],
    [{ input: [{ type: 'item_reference', id: 'rs_1' }] }, 'input[0].id', 'invalid_value'],
    [{ tools: [{ type: 'web_search' }] }, 'tools[0].type', 'invalid_value'],
    [{ tools: [{ type: 'file_search', vector_store_ids: ['x'] }] }, 'tools[0].vector_store_ids[0]', 'invalid_value'],
    [{ tool_choice: 'required' }, 'tool_choice', 'invalid_value'],
    [{ include: ['message.output_text.logprobs'] }, 'include', 'invalid_value'],
    [{ stream_options: { include_obfuscation: true } }, 'stream_options', 'invalid_value'],
    [{ conversation: 'conv_x', previous_response_id: 'resp_x' }, 'conversation', 'invalid_value'],
    [{ previous_response_id: 'x' }, 'previous_response_id', 'invalid_value'],
    [{ metadata: { a: 1 } }, 'metadata.a', 'invalid_value'],
    [{ background: true }, 'background', 'unsupported_parameter'],
    [{ reasoning: { effort: 'high' } }, 'reasoning', 'unsupported_parameter'],
    [{ text: { format: { type: 'json_object' } } }, 'text', 'unsupported_parameter'],
    [{ made_up: 1 }, 'made_up', 'unknown_parameter'],
  ])('refuses %j, and names %s', async (body, param, code) => {
    const asked = used.test.query.questions.length;
    const response = await ask(body);
    const refused: unknown = response.body;
    expect([response.status, refused]).toMatchObject([400, { error: { type: 'invalid_request_error', param, code } }]);
    expect(used.test.query.questions).toHaveLength(asked);
  });

  it('does not find responses, conversations and vector stores of another organization', async () => {
    const { api } = await used.test.tenant();
    const datastore = await makeDatastore(api);
    const agent = await makeAgent(api, { datastoreIds: [datastore] });
    const theirs = (await ask({ model: `agent:${agent}` }, api)).body as Body; // a response
    const tools = [{ type: 'file_search', vector_store_ids: [`vs_${datastore}`] }];
    const reference = { type: 'item_reference', id: theirs.id.replace('resp_', 'msg_') };
    const calls = [
      { previous_response_id: theirs.id },
      { conversation: theirs.conversation?.id },
      { input: [reference, { role: 'user', content: 'Why?' }] },
      { tools },
    ];
    const asked = used.test.query.questions.length;
    for (const call of calls) expect((await ask(call)).status).toBe(404);
    expect(used.test.query.questions).toHaveLength(asked);
  });
});

describe('a conversation of responses', () => {
  const continueFrom = async (id: string, input: string) => create({ input, previous_response_id: id });

  it('continues with the input and the answers of each response, without its instructions', async () => {
    answer('1');
    const first = await create({
      instructions: 'Be kind.',
      input: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'One?' },
      ],
    });
    answer('2');
    const second = await continueFrom(first.id, 'Two?');
    expect(second).toMatchObject({ previous_response_id: first.id, conversation: first.conversation });
    await create({ input: 'Three?', conversation: first.conversation });
    expect(getLastQuestion()).toMatchObject({
      systemPrompt: 'Be brief.',
      history: ['One?', '1', 'Two?', '2'].map((text) => ({ text })),
      query: 'Three?',
    });
  });

  it('continues an earlier response without the later ones', async () => {
    answer('1');
    const { id: first } = await create({ input: 'One?' });
    answer('2');
    await continueFrom(first, 'Two?');
    answer('3');
    const { id: third } = await continueFrom(first, 'Three?');
    expect(getLastQuestion()?.history.map(({ text }) => text)).toEqual(['One?', '1']);
    await continueFrom(third, 'Four?');
    expect(getLastQuestion()?.history.map(({ text }) => text)).toEqual(['One?', '1', 'Three?', '3']);
  });

  it('contains the answer that the input refers to', async () => {
    answer('1');
    const { id } = await create({ input: 'One?' });
    const reference = { type: 'item_reference', id: id.replace('resp_', 'msg_') };
    const search = { type: 'item_reference', id: id.replace('resp_', 'fs_') };
    await create({ input: [{ role: 'user', content: 'One?' }, search, reference, { role: 'user', content: 'Two?' }] });
    expect(getLastQuestion()?.history.map(({ text }) => text)).toEqual(['One?', '1']);
  });

  it('refuses a response of another agent', async () => {
    const { id } = await create({});
    const model = `agent:${await makeAgent(used.tenant.api, { name: 'Other' })}`;
    const refused = await ask({ model, previous_response_id: id });
    expect([refused.status, refused.body]).toMatchObject([400, { error: { param: 'previous_response_id' } }]);
  });
});

describe('a stored response', () => {
  it('lists its input', async () => {
    const input = [
      { role: 'system', content: 'Be kind.' },
      { role: 'assistant', content: 'Hello.' },
      { role: 'user', content: 'Why?' },
    ];
    const { id } = await create({ input });
    const list = (query: string) => used.tenant.api.get(`/v1/responses/${id}/input_items?${query}`);
    const all = (await list('order=asc')).body as { data: readonly { id: string }[] };
    expect(all).toMatchObject({
      object: 'list',
      data: [
        { role: 'system', content: [{ type: 'input_text', text: 'Be kind.' }] },
        { role: 'assistant', content: [{ type: 'output_text', text: 'Hello.' }] },
        { role: 'user', content: [{ type: 'input_text', text: 'Why?' }] },
      ],
      has_more: false,
    });
    expect((await list('limit=1')).body).toMatchObject({ data: [{ role: 'user' }], has_more: true });
    const rest = await list(`after=${all.data[1]?.id ?? ''}`);
    expect(rest.body).toMatchObject({ data: [{ role: 'system' }], has_more: false });
    expect((await list('after=x')).status).toBe(400);
  });

  it('is deleted with its question, and the last one with its conversation', async () => {
    const { api } = used.tenant;
    const first = await create({});
    const second = await create({ previous_response_id: first.id });
    const conversation = `/api/conversations/${first.conversation?.id.slice('conv_'.length) ?? ''}`;
    const feedback = `${conversation}/messages/${first.id.slice('resp_'.length)}/feedback`;
    expect((await api.put(feedback).send({ rating: 'down' })).status).toBe(200);
    expect((await api.get(conversation)).body).toMatchObject({ messages: 4, unanswered: 2, feedback: { down: 1 } });
    expect((await api.delete(`/v1/responses/${first.id}`)).body).toEqual({
      id: first.id,
      object: 'response',
      deleted: true,
    });
    expect((await api.get(`/v1/responses/${first.id}`)).status).toBe(404);
    expect((await api.get(conversation)).body).toMatchObject({ messages: 2, unanswered: 1, feedback: { down: 0 } });
    await api.delete(`/v1/responses/${second.id}`);
    expect((await api.get(conversation)).status).toBe(404);
  });

  it('is an answer to this operation only', async () => {
    const asked = await used.tenant.api.post(`/api/agents/${used.agent}/query`).send({ query: 'Why?' });
    const { messageId } = asked.body as { messageId: string }; // an answer
    expect((await used.tenant.api.get(`/v1/responses/resp_${messageId}`)).status).toBe(404);
  });
});
