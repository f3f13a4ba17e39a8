import { describe, expect, it } from 'vitest';
import { MAX_ANSWER_TOKENS, MODEL_NAMES } from '@quarry/contracts';
import { makeAgent, textOf } from '../testing/make.js';
import { expectRefused, expectAccepted, type Sender } from '../testing/rules.js';
import { useTenant } from '../testing/use-tenant.js';

const NOWHERE = '00000000-0000-7000-8000-00000000dead';
const used = useTenant();

const ask = (body: object, agent = used.agent) =>
  used.tenant.api.post(`/api/agents/${agent}/query`).send({ query: 'q', ...body });
const send: Sender = (field, value) => ask({ [field]: value });
const lastRequest = () => used.test.query.questions.at(-1);
/** Expects that the model is called with each of the values of the field. */
async function expectGeneration(field: string, values: readonly unknown[]): Promise<void> {
  for (const value of values) {
    await expectAccepted(send, field, [value]);
    expect(lastRequest()?.generation).toEqual(value === null ? {} : { [field]: value });
  }
}

describe('Agent query request', () => {
  it('query: string, required', async () => {
    await expectAccepted(send, 'query', ['Why?', ' why ', '東京', 'x'.repeat(32_000)]);
    expect(lastRequest()?.query).toHaveLength(32_000);
    await expectRefused(send, 'query', [undefined, null, '', ' \n', 7, true, [], {}, 'x'.repeat(32_001)]);
  });

  it('conversationId: string; continues a conversation, or creates one when absent', async () => {
    const conversationId = textOf(await ask({}), 'conversationId');
    expect(textOf(await ask({ conversationId }), 'conversationId')).toBe(conversationId);
    expect(textOf(await ask({ conversationId: conversationId.toUpperCase() }), 'conversationId')).toBe(conversationId);
    for (const none of [undefined, null, '']) {
      expect(textOf(await ask({ conversationId: none }), 'conversationId')).not.toBe(conversationId);
    }
    const elsewhere = textOf(await ask({}, await makeAgent(used.tenant.api)), 'conversationId');
    for (const unknown of [NOWHERE, 'no-id', elsewhere]) {
      expect((await ask({ conversationId: unknown })).status).toBe(404);
    }
    await expectRefused(send, 'conversationId', [7, true, [], {}]);
  });

  it('visitorId: string; created when absent', async () => {
    expect(textOf(await ask({ visitorId: 'ann' }), 'visitorId')).toBe('ann');
    const made = new Set<string>();
    for (const none of [undefined, null, '']) made.add(textOf(await ask({ visitorId: none }), 'visitorId'));
    expect(made.size).toBe(3);
    const conversationId = textOf(await ask({ visitorId: 'ann' }), 'conversationId');
    for (const none of [undefined, null, '']) {
      expect(textOf(await ask({ conversationId, visitorId: none }), 'visitorId')).toBe('ann');
    }
    expect(textOf(await ask({ conversationId, visitorId: 'ben' }), 'visitorId')).toBe('ben');
    expect(textOf(await ask({ conversationId }), 'visitorId')).toBe('ann');
    await expectAccepted(send, 'visitorId', ['x'.repeat(255)]);
    await expectRefused(send, 'visitorId', [7, {}, 'x'.repeat(256)]);
  });

  it('temperature: number, minimum 0.0, maximum 1.0', async () => {
    await expectGeneration('temperature', [0, 0.5, 1, null]);
    await expectRefused(send, 'temperature', [-0.01, 1.01, '0.5', true, [0.5]]);
  });

  it('streaming: boolean; enables streamed output', async () => {
    const type = async (streaming: unknown) => (await ask({ streaming })).headers['content-type'];
    expect(await type(true)).toBe('text/event-stream');
    for (const no of [false, null, undefined]) expect(await type(no)).toMatch(/^application\/json/);
    await expectRefused(send, 'streaming', ['true', 1, {}]);
  });

  it('modelName: string enum; overrides the agent’s model', async () => {
    expect(MODEL_NAMES.join(', ')).toBe(
      'gpt_4o_mini, gpt_4o, gpt_4_1_mini, gpt_4_1, claude_sonnet_4, gemini_flash_2, gemini_flash_2_lite, deepseek_v3',
    );
    await expectGeneration('modelName', [...MODEL_NAMES, null]);
    const agent = await makeAgent(used.tenant.api, { modelName: 'gpt_4o' });
    await ask({ modelName: 'deepseek_v3' }, agent);
    expect(lastRequest()?.generation).toEqual({ modelName: 'deepseek_v3' });
    await expectRefused(send, 'modelName', ['gpt_5', 'GPT_4O', '', 4, ['gpt_4o']]);
  });

  it('maxTokens: number; maximum number of tokens generated', async () => {
    await expectGeneration('maxTokens', [1, 4_096, MAX_ANSWER_TOKENS, null]);
    await expectRefused(send, 'maxTokens', [0, -1, 1.5, '100', true, MAX_ANSWER_TOKENS + 1, 1e308]);
  });

  it('presencePenalty: number between -2.0 and 2.0', async () => {
    await expectGeneration('presencePenalty', [-2, 0, 0.25, 2, null]);
    await expectRefused(send, 'presencePenalty', [-2.01, 2.01, '1']);
  });

  it('frequencyPenalty: number between -2.0 and 2.0', async () => {
    await expectGeneration('frequencyPenalty', [-2, 0, 0.25, 2, null]);
    await expectRefused(send, 'frequencyPenalty', [-2.01, 2.01, '1']);
  });

  it('topP: number; only tokens within the top probability mass', async () => {
    await expectGeneration('topP', [0, 0.1, 1, null]);
    await expectRefused(send, 'topP', [-0.1, 1.1, '0.1']);
  });

  it('filters: object with custom_ids and datasource_ids, arrays of string', async () => {
    for (const filters of [{}, { custom_ids: ['a', ''] }, { datasource_ids: [NOWHERE] }, { custom_ids: [] }]) {
      await expectAccepted(send, 'filters', [filters]);
      expect(lastRequest()?.filters).toEqual(filters);
    }
    await expectAccepted(send, 'filters', [null, { custom_ids: null, datasource_ids: null }]);
    await expectRefused(send, 'filters', [
      'a',
      7,
      [],
      { custom_ids: 'a' },
      { custom_ids: [7] },
      { datasource_ids: {} },
    ]);
    await expectRefused(send, 'filters', [{ customIds: ['a'] }, { price: { maximum: 150 } }]);
    await expectRefused(send, 'filter', [{ custom_ids: ['a'] }]);
  });

  it.each(['systemPrompt', 'userPrompt'] as const)('%s: string; for this query', async (field) => {
    const agent = await makeAgent(used.tenant.api, { [field]: 'the agent’s' });
    await ask({ [field]: 'mine' }, agent);
    expect(lastRequest()?.[field]).toBe('mine');
    for (const none of [null, '', undefined]) {
      await ask({ [field]: none }, agent);
      expect(lastRequest()?.[field]).toBe('the agent’s');
    }
    await expectRefused(send, field, [7, true, {}]);
  });

  it('promptType: string enum, deprecated', async () => {
    for (const promptType of ['raw', 'customer_support']) {
      expect((await ask({ promptType })).headers['deprecation']).toMatch(/^@\d+$/);
      expect(lastRequest()?.promptType).toBe(promptType);
    }
    for (const none of [null, undefined]) {
      expect((await ask({ promptType: none })).headers).not.toHaveProperty('deprecation');
    }
    await expectRefused(send, 'promptType', ['other', 7]);
  });

  it('promptTemplate: string, deprecated', async () => {
    expect((await ask({ promptTemplate: 'T {query}' })).headers['deprecation']).toMatch(/^@\d+$/);
    expect(lastRequest()?.promptTemplate).toBe('T {query}');
    expect((await ask({ promptTemplate: null })).headers).not.toHaveProperty('deprecation');
    await expectRefused(send, 'promptTemplate', [7, {}]);
  });

  it('ignores every other field', async () => {
    await expectAccepted(send, 'isDraft', [true, { a: [1] }, null]);
    await expectAccepted(send, '__proto__', [{ query: 7 }]);
  });

  it('requires a JSON object', async () => {
    const sendRaw = (body: string, type = 'application/json') =>
      used.tenant.api.post(`/api/agents/${used.agent}/query`).set('Content-Type', type).send(body);
    for (const body of ['[]', 'null', '"q"', '7', '', '{"query":']) expect((await sendRaw(body)).status).toBe(400);
    expect((await sendRaw('{"query":"q"}', 'text/plain')).status).toBe(415);
    expect((await sendRaw('{"query":"q"}', 'application/json; charset=utf-8')).status).toBe(200);
  });
});
