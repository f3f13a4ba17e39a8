import OpenAI, { APIError, AuthenticationError, BadRequestError, NotFoundError } from 'openai';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { EMBEDDING, startEmbeddingProvider } from './quarry/embedding-provider.js';
import { startFakeModel } from './quarry/fake-model.js';
import { ROOT_KEY } from './quarry/quarry-process.js';
import { describeOnEachStack } from './quarry/stacks.js';

/**
 * The answer of the simulated model, with a citation, accents, and a character outside of Unicode's basic multilingual
 * plane.
 */
const ANSWER = 'Once upon a time [1]: déjà vu, 从前, 😀.';
const TALE = 'Das Märchen beginnt: es war einmal, à la française, 从前.';
const QUESTION = { role: 'user', content: 'Wie beginnt das Märchen? 😀' } as const;

const model = await startFakeModel(ANSWER.slice('Once'.length));
const provider = await startEmbeddingProvider();
afterAll(async () => {
  provider.stop();
  await model.stop();
});

const needs = {
  variables: {
    ...model.variables,
    QUARRY_EMBEDDING_MODEL: EMBEDDING.model,
    QUARRY_EMBEDDING_DIMENSIONS: String(EMBEDDING.dimensions),
    QUARRY_EMBEDDING_BASE_URL: provider.baseUrl,
  },
  servers: () => [model.url, provider.baseUrl],
  notAtAddress: 'it needs the simulated model of the tests',
};

/** The fields that Quarry adds to OpenAI's chat completion. */
interface Extensions {
  readonly sources: readonly { readonly datasource_id: string; readonly text: string }[];
  readonly conversation_id: string | null;
}

describeOnEachStack('the SDK of OpenAI', needs, (quarry, stack) => {
  let datastoreId: string;
  let file: string;
  let agent: string;

  /** Creates OpenAI's client with only the address and the key, as deployed programs do. */
  const connectClient = (apiKey = ROOT_KEY): OpenAI =>
    new OpenAI({ baseURL: new URL('/v1', stack().baseUrl).href, apiKey, maxRetries: 0 });

  beforeAll(async () => {
    ({ id: datastoreId } = await quarry().createDatastore({ name: 'Märchen' }));
    const { ids } = await quarry().upsertDocuments(datastoreId, [{ name: 'Märchen', text: TALE }]);
    [file = ''] = ids;
    expect(await quarry().untilSettled(file)).toMatchObject({ status: 'synched' });
    const settings = { name: 'Märchenerzähler', datastoreIds: [datastoreId], citationMarks: true };
    agent = `agent:${(await quarry().createAgent(settings)).id}`;
  });

  it('OpenAI’s SDK lists and retrieves agents and models, and deletes an agent', async () => {
    const { id: doomed } = await quarry().createAgent({ name: 'Doomed', datastoreIds: [datastoreId] });
    const listed: string[] = [];
    for await (const { id } of connectClient().models.list()) listed.push(id);
    expect(listed).toEqual(expect.arrayContaining([agent, `agent:${doomed}`, 'default', EMBEDDING.model]));
    expect(await connectClient().models.retrieve('märchenerzähler')).toMatchObject({ id: agent, object: 'model' });
    expect(await connectClient().models.delete(`agent:${doomed}`)).toMatchObject({ deleted: true });
    await expect(connectClient().models.retrieve(`agent:${doomed}`)).rejects.toThrow(NotFoundError);
  });

  it('a vector store search with query rewriting searches for the query that the model returns', async () => {
    model.behaviour = 'ends';
    const request = { query: QUESTION.content, rewrite_query: true };
    // The SDK's type of a result page lacks the field `search_query`.
    const runSearch = async (): Promise<unknown> =>
      (await connectClient().vectorStores.search(`vs_${datastoreId}`, request).asResponse()).json();
    const found = await runSearch();
    expect(model.prompts.at(-1)).toContain(QUESTION.content);
    expect(found).toMatchObject({ search_query: [ANSWER], notes: [], data: [{ content: [{ text: TALE }] }] });
    model.behaviour = 'dies';
    expect(await runSearch()).toMatchObject({
      ...{ search_query: [QUESTION.content], notes: ['not_rewritten'], data: [{}] },
    });
  });

  it('a chat completion contains the answer, the usage, the citations and the sources', async () => {
    model.behaviour = 'ends';
    const request = { model: 'märchenerzähler', messages: [QUESTION], store: true };
    const answer = await connectClient().chat.completions.create(request);
    expect(model.prompts.at(-1)).toContain(QUESTION.content);
    expect(answer.choices).toMatchObject([{ finish_reason: 'stop', message: { role: 'assistant', content: ANSWER } }]);
    expect(answer.choices[0]?.message.annotations).toEqual([
      {
        type: 'url_citation',
        url_citation: {
          start_index: ANSWER.indexOf('['),
          end_index: ANSWER.indexOf(':'),
          url: expect.stringContaining(`/datasources/${file}/original`) as string,
          title: 'Märchen',
        },
        file_citation: { file_id: `file-${file}`, filename: 'Märchen', index: ANSWER.indexOf(':') },
      },
    ]);
    expect(answer.usage?.total_tokens).toBeGreaterThan(answer.usage?.completion_tokens ?? Infinity);
    const { sources, conversation_id: conversation } = answer as typeof answer & Extensions;
    expect(sources).toMatchObject([{ datasource_id: file, text: TALE }]);
    expect((await quarry().listMessages(conversation ?? '')).items).toMatchObject([
      { role: 'user', text: QUESTION.content },
      { role: 'assistant', text: ANSWER },
    ]);
  });

  it('a streamed chat completion contains the answer and the usage', async () => {
    model.behaviour = 'ends';
    const options = { model: agent, messages: [QUESTION], stream_options: { include_usage: true } };
    const stream = connectClient().chat.completions.stream(options);
    let text = '';
    stream.on('content', (piece) => (text += piece));
    expect(await stream.finalContent()).toBe(ANSWER);
    expect(text).toBe(ANSWER);
    expect((await stream.totalUsage()).total_tokens).toBeGreaterThan(0);
  });

  it('a response continues the response in `previous_response_id`, the input of a response can be listed, and a deleted response is not found', async () => {
    model.behaviour = 'ends';
    const { responses } = connectClient();
    const first = await responses.create({ model: agent, input: QUESTION.content, metadata: { tale: '1' } });
    expect(first).toMatchObject({ status: 'completed', output_text: ANSWER, metadata: { tale: '1' } });
    const second = await responses.create({ model: agent, input: '终?', previous_response_id: first.id });
    expect(second.conversation).toEqual(first.conversation);
    expect(model.prompts.at(-1)).toContain(QUESTION.content);
    const conversation = first.conversation?.id.slice('conv_'.length) ?? '';
    expect((await quarry().listMessages(conversation)).items).toHaveLength(4);
    expect(await responses.retrieve(first.id)).toEqual(first);
    const items: unknown[] = [];
    for await (const item of responses.inputItems.list(second.id)) items.push(item);
    expect(items).toMatchObject([{ role: 'user', content: [{ text: '终?' }] }]);
    await expect(responses.cancel(first.id)).rejects.toThrow(BadRequestError);
    await expect(responses.compact({ model: 'gpt-5', input: QUESTION.content })).rejects.toThrow(NotFoundError);
    for (const { id } of [first, second]) await responses.delete(id);
    await expect(responses.retrieve(first.id)).rejects.toThrow(NotFoundError);
    await expect(quarry().getConversation(conversation)).rejects.toMatchObject({ status: 404 });
  });

  it('the input tokens of a response are counted without a request to the model', async () => {
    model.behaviour = 'ends';
    const { responses } = connectClient();
    const request = { model: agent, input: QUESTION.content };
    const counted = await responses.inputTokens.count(request);
    const { usage } = await responses.create({ ...request, store: false });
    expect(counted).toEqual({ object: 'response.input_tokens', input_tokens: usage?.input_tokens });
  });

  it('a streamed response contains the results of its search in a vector store', async () => {
    model.behaviour = 'ends';
    const tools = [{ type: 'file_search' as const, vector_store_ids: [`vs_${datastoreId}`], max_num_results: 2 }];
    const include = ['file_search_call.results' as const];
    const stream = connectClient().responses.stream({ model: 'default', input: QUESTION.content, tools, include });
    let text = '';
    stream.on('response.output_text.delta', ({ delta }) => (text += delta));
    const { output, output_text: whole } = await stream.finalResponse();
    expect(whole).toContain('Once upon a time');
    expect(text).toBe(whole);
    const results = [{ file_id: `file-${file}`, filename: 'Märchen', text: TALE }];
    expect(output).toMatchObject([
      { type: 'file_search_call', results },
      { type: 'message', status: 'completed' },
    ]);
    expect(model.prompts.at(-1)).toContain(TALE);
  });

  it('if the request for a chat completion contains a model instead of an agent, the model answers from the messages alone', async () => {
    model.behaviour = 'ends';
    const messages = [{ role: 'system', content: 'Be kind.' } as const, QUESTION];
    const { choices } = await connectClient().chat.completions.create({ model: 'default', messages });
    expect(choices[0]?.message.content).toContain('Once upon a time');
    expect(model.prompts.at(-1)).toContain('Be kind.');
    expect(model.prompts.at(-1)).not.toContain('knowledge');
  });

  it('when a client aborts a stream, Quarry cancels the request to the model, and stores the partial answer', async () => {
    model.behaviour = 'hangs';
    const request = { model: agent, messages: [QUESTION], stream: true as const, store: true };
    const stream = await connectClient().chat.completions.create(request);
    const left = model.waitForDisconnect();
    for await (const { choices } of stream) if (choices[0]?.delta.content === 'Once') break; // `break` closes the stream
    await left;
    await vi.waitFor(async () => {
      const agentId = agent.slice('agent:'.length);
      const [last] = (await quarry().listConversations({ agentId, limit: 1 })).items;
      expect((await quarry().listMessages(last?.id ?? '')).items).toMatchObject([
        { state: 'interrupted' },
        { text: 'Once', state: 'interrupted' },
      ]);
    }, 10_000);
  });

  it('OpenAI’s SDK throws an error that Quarry sends in the middle of a stream', async () => {
    model.behaviour = 'dies';
    const stream = await connectClient().chat.completions.create({ model: agent, messages: [QUESTION], stream: true });
    let text = '';
    const read = async (): Promise<void> => {
      for await (const { choices } of stream) text += choices[0]?.delta.content ?? '';
    };
    const error = await read().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ code: 'model_interrupted', type: 'server_error' });
    expect(text).toBe('Once');
  });

  it.each(['float', 'base64'] as const)(
    'OpenAI’s SDK receives embeddings in the encoding format %s',
    async (format) => {
      const input = ['Märchen', '从前 😀'];
      const { data, usage } = await connectClient().embeddings.create({
        model: EMBEDDING.model,
        input,
        encoding_format: format,
      });
      expect(provider.asked.slice(-2)).toEqual(input);
      const first = data[0]?.embedding;
      if (format === 'float') expect(first).toEqual([1, 0, 0, 0]);
      else expect(first).toBe(Buffer.from(new Float32Array([1, 0, 0, 0]).buffer).toString('base64'));
      expect(data).toHaveLength(2);
      expect(usage.prompt_tokens).toBeGreaterThan(1);
    },
  );

  it('OpenAI’s SDK throws its specific errors for a wrong key, an unknown model and an unsupported parameter', async () => {
    const ask = { model: agent, messages: [QUESTION] };
    await expect(connectClient('qk_wrong').models.list()).rejects.toThrow(AuthenticationError);
    await expect(connectClient().chat.completions.create({ ...ask, model: 'gpt-4o' })).rejects.toThrow(NotFoundError);
    const refused = await connectClient()
      .chat.completions.create({ ...ask, n: 2 })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(BadRequestError);
    expect(refused).toMatchObject({
      param: 'n',
      code: 'unsupported_parameter',
      message: expect.stringContaining('n is') as string,
    });
  });

  it('OpenAI’s SDK does not find the agents of another organization', async () => {
    const { apiKey } = await quarry().createOrganization({ name: 'Other' });
    const tenant = connectClient(apiKey);
    expect((await tenant.models.list()).data.map(({ id }) => id)).not.toContain(agent);
    for (const name of [agent, 'märchenerzähler'])
      await expect(tenant.chat.completions.create({ model: name, messages: [QUESTION] })).rejects.toThrow(
        NotFoundError,
      );
  });
});
