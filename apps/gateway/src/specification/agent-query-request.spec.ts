import { describe, expect, it } from 'vitest';
import { MAX_ANSWER_TOKENS, MODEL_NAMES } from '@quarry/contracts';
import { createAgent, getStringField } from '../testing/create-resources.js';
import { expectRefusedValues, expectAcceptedValues, type SendField } from '../testing/expect-field-values.js';
import { setUpTenant } from '../testing/set-up-tenant.js';

const UNKNOWN_ID = '00000000-0000-7000-8000-00000000dead';
const used = setUpTenant();

const askAgent = (body: object, agent = used.agent) =>
  used.tenant.api.post(`/api/agents/${agent}/query`).send({ query: 'q', ...body });
const sendField: SendField = (field, value) => askAgent({ [field]: value });
const getLastQuestion = () => used.test.query.questions.at(-1);
/** Sends one query per given value of a request field, and expects that the query service receives this value. */
async function expectForwarded(field: string, values: readonly unknown[]): Promise<void> {
  for (const value of values) {
    await expectAcceptedValues(sendField, field, [value]);
    expect(getLastQuestion()?.generation).toEqual(value === null ? {} : { [field]: value });
  }
}

describe('Agent query request', () => {
  it('the field `query` of an agent query is required and is a string', async () => {
    await expectAcceptedValues(sendField, 'query', ['Why?', ' why ', '東京', 'x'.repeat(32_000)]);
    expect(getLastQuestion()?.query).toHaveLength(32_000);
    await expectRefusedValues(sendField, 'query', [undefined, null, '', ' \n', 7, true, [], {}, 'x'.repeat(32_001)]);
  });

  it('the field `conversationId` of an agent query is a string that continues a conversation, and a query without it starts a new conversation', async () => {
    const conversationId = getStringField(await askAgent({}), 'conversationId');
    expect(getStringField(await askAgent({ conversationId }), 'conversationId')).toBe(conversationId);
    expect(getStringField(await askAgent({ conversationId: conversationId.toUpperCase() }), 'conversationId')).toBe(
      conversationId,
    );
    for (const none of [undefined, null, '']) {
      expect(getStringField(await askAgent({ conversationId: none }), 'conversationId')).not.toBe(conversationId);
    }
    const elsewhere = getStringField(await askAgent({}, await createAgent(used.tenant.api)), 'conversationId');
    for (const unknown of [UNKNOWN_ID, 'no-id', elsewhere]) {
      expect((await askAgent({ conversationId: unknown })).status).toBe(404);
    }
    await expectRefusedValues(sendField, 'conversationId', [7, true, [], {}]);
  });

  it('the field `visitorId` of an agent query is a string, and a query without it gets a new visitor id', async () => {
    expect(getStringField(await askAgent({ visitorId: 'ann' }), 'visitorId')).toBe('ann');
    const made = new Set<string>();
    for (const none of [undefined, null, ''])
      made.add(getStringField(await askAgent({ visitorId: none }), 'visitorId'));
    expect(made.size).toBe(3);
    const conversationId = getStringField(await askAgent({ visitorId: 'ann' }), 'conversationId');
    for (const none of [undefined, null, '']) {
      expect(getStringField(await askAgent({ conversationId, visitorId: none }), 'visitorId')).toBe('ann');
    }
    expect(getStringField(await askAgent({ conversationId, visitorId: 'ben' }), 'visitorId')).toBe('ben');
    expect(getStringField(await askAgent({ conversationId }), 'visitorId')).toBe('ann');
    await expectAcceptedValues(sendField, 'visitorId', ['x'.repeat(255)]);
    await expectRefusedValues(sendField, 'visitorId', [7, {}, 'x'.repeat(256)]);
  });

  it('the field `temperature` of an agent query is a number from 0.0 to 1.0', async () => {
    await expectForwarded('temperature', [0, 0.5, 1, null]);
    await expectRefusedValues(sendField, 'temperature', [-0.01, 1.01, '0.5', true, [0.5]]);
  });

  it('the field `streaming` of an agent query is a boolean that enables streamed output', async () => {
    const getContentType = async (streaming: unknown) => (await askAgent({ streaming })).headers['content-type'];
    expect(await getContentType(true)).toBe('text/event-stream; charset=utf-8');
    for (const no of [false, null, undefined]) expect(await getContentType(no)).toMatch(/^application\/json/);
    await expectRefusedValues(sendField, 'streaming', ['true', 1, {}]);
  });

  it('the field `modelName` of an agent query is one of the listed models and overrides the agent’s model', async () => {
    expect(MODEL_NAMES.join(', ')).toBe(
      'gpt_4o_mini, gpt_4o, gpt_4_1_mini, gpt_4_1, claude_sonnet_4, gemini_flash_2, gemini_flash_2_lite, deepseek_v3',
    );
    await expectForwarded('modelName', [...MODEL_NAMES, null]);
    const agent = await createAgent(used.tenant.api, { modelName: 'gpt_4o' });
    await askAgent({ modelName: 'deepseek_v3' }, agent);
    expect(getLastQuestion()?.generation).toEqual({ modelName: 'deepseek_v3' });
    await expectRefusedValues(sendField, 'modelName', ['gpt_5', 'GPT_4O', '', 4, ['gpt_4o']]);
  });

  it('the field `maxTokens` of an agent query is a number that limits the generated tokens', async () => {
    await expectForwarded('maxTokens', [1, 4_096, MAX_ANSWER_TOKENS, null]);
    await expectRefusedValues(sendField, 'maxTokens', [0, -1, 1.5, '100', true, MAX_ANSWER_TOKENS + 1, 1e308]);
  });

  it('the field `presencePenalty` of an agent query is a number from -2.0 to 2.0', async () => {
    await expectForwarded('presencePenalty', [-2, 0, 0.25, 2, null]);
    await expectRefusedValues(sendField, 'presencePenalty', [-2.01, 2.01, '1']);
  });

  it('the field `frequencyPenalty` of an agent query is a number from -2.0 to 2.0', async () => {
    await expectForwarded('frequencyPenalty', [-2, 0, 0.25, 2, null]);
    await expectRefusedValues(sendField, 'frequencyPenalty', [-2.01, 2.01, '1']);
  });

  it('the field `topP` of an agent query is a number from 0 to 1 that is sent to the model', async () => {
    await expectForwarded('topP', [0, 0.1, 1, null]);
    await expectRefusedValues(sendField, 'topP', [-0.1, 1.1, '0.1']);
  });

  it('the field `filters` of an agent query is an object with the string arrays `custom_ids` and `datasource_ids`', async () => {
    for (const filters of [{}, { custom_ids: ['a', ''] }, { datasource_ids: [UNKNOWN_ID] }, { custom_ids: [] }]) {
      await expectAcceptedValues(sendField, 'filters', [filters]);
      expect(getLastQuestion()?.filters).toEqual(filters);
    }
    await expectAcceptedValues(sendField, 'filters', [null, { custom_ids: null, datasource_ids: null }]);
    await expectRefusedValues(sendField, 'filters', [
      'a',
      7,
      [],
      { custom_ids: 'a' },
      { custom_ids: [7] },
      { datasource_ids: {} },
    ]);
    await expectRefusedValues(sendField, 'filters', [{ customIds: ['a'] }, { price: { maximum: 150 } }]);
    await expectRefusedValues(sendField, 'filter', [{ custom_ids: ['a'] }]);
  });

  it.each(['systemPrompt', 'userPrompt'] as const)(
    'the field %s of an agent query is a string that replaces the agent’s prompt for one query',
    async (field) => {
      const agent = await createAgent(used.tenant.api, { [field]: 'the agent’s' });
      await askAgent({ [field]: 'mine' }, agent);
      expect(getLastQuestion()?.[field]).toBe('mine');
      for (const none of [null, '', undefined]) {
        await askAgent({ [field]: none }, agent);
        expect(getLastQuestion()?.[field]).toBe('the agent’s');
      }
      await expectRefusedValues(sendField, field, [7, true, {}]);
    },
  );

  it('the field `promptType` of an agent query is a deprecated enum of strings', async () => {
    for (const promptType of ['raw', 'customer_support']) {
      expect((await askAgent({ promptType })).headers['deprecation']).toMatch(/^@\d+$/);
      expect(getLastQuestion()?.promptType).toBe(promptType);
    }
    for (const none of [null, undefined]) {
      expect((await askAgent({ promptType: none })).headers).not.toHaveProperty('deprecation');
    }
    await expectRefusedValues(sendField, 'promptType', ['other', 7]);
  });

  it('the field `promptTemplate` of an agent query is a deprecated string', async () => {
    expect((await askAgent({ promptTemplate: 'T {query}' })).headers['deprecation']).toMatch(/^@\d+$/);
    expect(getLastQuestion()?.promptTemplate).toBe('T {query}');
    expect((await askAgent({ promptTemplate: null })).headers).not.toHaveProperty('deprecation');
    await expectRefusedValues(sendField, 'promptTemplate', [7, {}]);
  });

  it('an agent query ignores unknown fields', async () => {
    await expectAcceptedValues(sendField, 'isDraft', [true, { a: [1] }, null]);
    await expectAcceptedValues(sendField, '__proto__', [{ query: 7 }]);
  });

  it('an agent query requires a JSON object', async () => {
    const sendRaw = (body: string, type = 'application/json') =>
      used.tenant.api.post(`/api/agents/${used.agent}/query`).set('Content-Type', type).send(body);
    for (const body of ['[]', 'null', '"q"', '7', '', '{"query":']) expect((await sendRaw(body)).status).toBe(400);
    expect((await sendRaw('{"query":"q"}', 'text/plain')).status).toBe(415);
    expect((await sendRaw('{"query":"q"}', 'application/json; charset=utf-8')).status).toBe(200);
  });
});
