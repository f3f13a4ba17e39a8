import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createAgent, createDatastore } from '../../../testing/create-resources.js';
import { readResponseEvents, type ResponseBody, setUpResponseTests } from '../../../testing/set-up-response-tests.js';

const { used, postResponse, createResponse, setNextAnswer, getLastQuestion } = setUpResponseTests();

describe('POST /v1/responses', () => {
  it("POST /v1/responses returns the answer of an agent in OpenAI's format, and stores the answer", async () => {
    const created = await createResponse({
      metadata: { a: 'b' },
      temperature: 0.3,
      max_output_tokens: 50,
      user: 'ann',
    });
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
    const [, stored] = (listed.body as { items: readonly { createdAt: string }[] }).items;
    expect(created).toMatchObject({ completed_at: Math.floor(Date.parse(stored?.createdAt ?? '') / 1_000) });
    expect((await used.tenant.api.get(`/v1/responses/${created.id}`)).body).toEqual(created);
  });

  it('POST /v1/responses sends instructions and system messages as the system prompt, and earlier messages as history', async () => {
    await postResponse({
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

  it('a response whose answer reached the token limit has the status `incomplete`', async () => {
    setNextAnswer('So', { notes: ['answer_truncated'] });
    const incomplete = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    const created = await createResponse({});
    expect(created).toMatchObject({ ...incomplete, output: [{ status: 'incomplete' }] });
    expect((await used.tenant.api.get(`/v1/responses/${created.id}`)).body).toEqual(created);
    expect(readResponseEvents((await postResponse({ stream: true })).text).at(-1)).toMatchObject({
      type: 'response.incomplete',
    });
  });

  it('POST /v1/responses stores nothing if the request has `store: false`, even if it continues a stored response', async () => {
    const { id } = await createResponse({ input: 'One?' });
    const created = await createResponse({ input: 'Two?', previous_response_id: id, store: false });
    expect(created).toMatchObject({ conversation: null, store: false });
    expect(getLastQuestion()).toMatchObject({ history: [{ text: 'One?' }, { text: 'Yes.' }] });
    expect((await used.tenant.api.get(`/v1/responses/${created.id}`)).status).toBe(404);
  });

  it('a configured model answers from the vector stores of the tool `file_search`, and stores nothing', async () => {
    const tools = [{ type: 'file_search', vector_store_ids: [`vs_${used.datastore}`] }];
    const created = await createResponse({ model: 'gpt_4o', tools });
    expect(created).toMatchObject({ model: 'gpt_4o', store: false, conversation: null });
    const request = { datastores: [{ id: used.datastore }], restrictToKnowledge: false };
    expect(getLastQuestion()).toMatchObject({ ...request, generation: { modelName: 'gpt_4o' } });
    expect(getLastQuestion()).not.toHaveProperty('promptType');
    for (const [name, value] of Object.entries({ store: true, previous_response_id: 'resp_x', conversation: 'conv_x' }))
      expect(await postResponse({ model: 'gpt_4o', [name]: value })).toMatchObject({
        status: 400,
        body: { error: { param: name, code: 'unsupported_value' } },
      });
  });

  it('POST /v1/responses returns the same response to a repeated request with the same Idempotency-Key', async () => {
    const sendRequest = () => postResponse({}).set('Idempotency-Key', 'key-1');
    const first = await sendRequest();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    const asked = used.test.query.questions.length;
    expect((await sendRequest()).body).toEqual(first.body);
    expect(used.test.query.questions).toHaveLength(asked);
  });

  it('POST /v1/responses returns 404 if the request refers to a response, conversation or vector store of another organization', async () => {
    const { api } = await used.test.createTenant();
    const datastore = await createDatastore(api);
    const agent = await createAgent(api, { datastoreIds: [datastore] });
    const theirs = (await postResponse({ model: `agent:${agent}` }, api)).body as ResponseBody; // a response
    const tools = [{ type: 'file_search', vector_store_ids: [`vs_${datastore}`] }];
    const reference = { type: 'item_reference', id: theirs.id.replace('resp_', 'msg_') };
    const calls = [
      { previous_response_id: theirs.id },
      { conversation: theirs.conversation?.id },
      { input: [reference, { role: 'user', content: 'Why?' }] },
      { tools },
    ];
    const asked = used.test.query.questions.length;
    for (const call of calls) expect((await postResponse(call)).status).toBe(404);
    expect(used.test.query.questions).toHaveLength(asked);
  });
});
