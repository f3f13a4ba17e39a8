import { createLog } from '@quarry/service-kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createChatCall, readModel } from '../testing/read-model.js';
import { startFakeProvider, type FakeProvider } from '../testing/fake-provider.js';
import { ModelFailed, type ChatCall, type ChatModel, type ChatPiece, type ChatSettings } from './chat-model.js';
import { openAnthropic, openGoogle } from './langchain-clients.js';
import type { ProviderSettings } from './model-settings.js';
import { connectOpenAiCompatible } from './openai-response.js';
import { createProviderModel, type OpenResponse } from './provider-model.js';

interface Case {
  readonly name: string;
  readonly path: string;
  readonly open: (settings: ProviderSettings, model: string) => OpenResponse;
  /** Token counts in the format of the provider: 11 for the prompt and 3 for the answer. */
  readonly usage: Record<string, number>;
  /** Finish reasons of the provider for a complete answer, the token limit, a filter and an interruption. */
  readonly reasons: Readonly<Record<'complete' | 'truncated' | 'refused' | 'interrupted', string>>;
}

const openOpenAi: Case['open'] = (settings, model) => connectOpenAiCompatible(settings)(model);

const CASES: readonly Case[] = [
  {
    name: 'OpenAI',
    path: '/v1',
    open: openOpenAi,
    usage: { prompt_tokens: 11, completion_tokens: 3 },
    reasons: { complete: 'stop', truncated: 'length', refused: 'content_filter', interrupted: 'error' },
  },
  {
    name: 'Anthropic',
    path: '',
    open: openAnthropic,
    usage: { input_tokens: 11, output_tokens: 3 },
    // Anthropic reports an error as an event of its own, which is tested below.
    reasons: { complete: 'end_turn', truncated: 'max_tokens', refused: 'refusal', interrupted: 'error' },
  },
  {
    name: 'Google',
    path: '',
    open: openGoogle,
    usage: { promptTokenCount: 11, candidatesTokenCount: 3 },
    reasons: { complete: 'STOP', truncated: 'MAX_TOKENS', refused: 'SAFETY', interrupted: 'OTHER' },
  },
];

const TEXT = 'The warranty lasts two years — 二年 🙂, in every country.';

let provider: FakeProvider;
beforeEach(async () => {
  provider = await startFakeProvider();
});
afterEach(async () => provider.close());

async function catchFailure(model: ChatModel, call: ChatCall): Promise<ModelFailed> {
  const error: unknown = await readModel(model, call).catch((thrown: unknown) => thrown);
  if (error instanceof ModelFailed) return error;
  throw new Error(`expected ModelFailed, found ${String(error)}`);
}

const API_KEY = 'key-0123456789abcdef';

describe.each(CASES)('createProviderModel for $name', ({ path, open, usage, reasons }) => {
  const openModelAt = (base: string): ChatModel =>
    createProviderModel('test/model', open({ baseUrl: `${base}${path}`, apiKey: API_KEY }, 'a-model'), API_KEY);

  it('a provider model streams the answer, and reports its token usage', async () => {
    provider.mock.onMessage('warranty', { content: TEXT, usage });
    const found = await readModel(openModelAt(provider.url), createChatCall('How long is the warranty?'));
    expect(found.texts.join('')).toBe(TEXT);
    expect(found.usage).toEqual({ promptTokens: 11, completionTokens: 3 });
  });

  it('a provider model sends the system prompt and the conversation in order', async () => {
    provider.mock.onMessage(/./, { content: 'yes' });
    const messages = [
      { role: 'user', text: 'first {question}' },
      { role: 'assistant', text: 'first answer' },
      { role: 'user', text: 'second question' },
    ] as const;
    await readModel(openModelAt(provider.url), createChatCall('', { messages }));
    const sent = JSON.stringify(provider.mock.getLastRequest()?.body);
    const order = ['Be brief.', 'first {question}', 'first answer', 'second question'].map((text) =>
      sent.indexOf(text),
    );
    expect(order).toEqual([...order].sort((one, other) => one - other));
    expect(Math.min(...order)).toBeGreaterThan(-1);
  });

  it('a provider model reports `model_rate_limited` with the retry delay of the provider', async () => {
    provider.mock.onMessage(/./, {
      error: { message: 'slow down', type: 'rate_limit_error' },
      status: 429,
      retryAfter: 7,
    });
    const error = await catchFailure(openModelAt(provider.url), createChatCall('x'));
    expect(error).toMatchObject({ code: 'model_rate_limited', isRetryable: true, afterMs: 7_000 });
    expect(error.message).toMatch(/^test\/model: .*slow down/);
    expect(provider.mock.getRequests()).toHaveLength(1);
  });

  it.each([
    [500, 'oops', { code: 'model_unavailable', isRetryable: true, status: 500 }],
    [504, 'slow', { code: 'model_timeout', isRetryable: true }],
    [401, 'bad key', { code: 'model_refused', isRetryable: false }],
    [
      400,
      'the context length is 8192 tokens, however you asked for 9000',
      { code: 'context_too_long', isRetryable: false },
    ],
  ])(
    'a provider model converts the status %i with the message %j to a failure code',
    async (status, message, expected) => {
      provider.mock.onMessage(/./, { error: { message }, status });
      expect(await catchFailure(openModelAt(provider.url), createChatCall('x'))).toMatchObject(expected);
      expect(provider.mock.getRequests()).toHaveLength(1);
    },
  );

  // If the key starts after 260 characters, the length limit of the message cuts off the end of the key.
  it.each([0, 260])(
    'if %i characters precede an API key in a logged error, a provider model redacts the key, including a key cut by the length limit',
    async (before) => {
      const message = `${'x'.repeat(before)} Incorrect key: ${API_KEY}`;
      provider.mock.onMessage(/./, { error: { message }, status: 401 });
      const error = await catchFailure(openModelAt(provider.url), createChatCall('x'));
      const lines: string[] = [];
      createLog('test', 'warn', { write: (line) => lines.push(line) }).warn({ err: error });
      expect(lines.join()).toContain('Incorrect key: [redacted]');
      expect(lines.join()).not.toContain(API_KEY.slice(0, 8));
    },
  );

  it('a provider model reports `model_unavailable` if nothing listens at the address of the provider', async () => {
    await provider.close();
    expect(await catchFailure(openModelAt(provider.url), createChatCall('x'))).toMatchObject({
      code: 'model_unavailable',
      isRetryable: true,
    });
    provider = await startFakeProvider();
  });

  it('a provider model reports `model_invalid_response` for an answer without text', async () => {
    provider.mock.onMessage(/./, { content: '' });
    const error = await catchFailure(openModelAt(provider.url), createChatCall('x'));
    expect(error.code).toBe('model_invalid_response');
    expect(error.message).toContain('ended without text');
  });

  it('a provider model reports `model_invalid_response` for an answer of only white space', async () => {
    provider.respondWith({ words: [' ', '\n\n'], finishReason: reasons.complete });
    const error = await catchFailure(openModelAt(provider.responds), createChatCall('x'));
    expect(error.code).toBe('model_invalid_response');
    expect(error.message).toContain('ended without text');
  });

  it('a provider model yields the white space before the first word together with this word', async () => {
    provider.respondWith({ words: ['\n', ' ', 'Two', ' ', 'years.'], finishReason: reasons.complete });
    const { texts } = await readModel(openModelAt(provider.responds), createChatCall('x'));
    expect(texts[0]).toMatch(/^\n Two/);
    expect(texts.join('')).toBe('\n Two years.');
  });

  it('a provider model reports `model_interrupted` if the connection closes during the answer', async () => {
    const failure = { code: 'model_interrupted', isRetryable: false };
    expect(await catchFailure(openModelAt(provider.dies), createChatCall('x'))).toMatchObject(failure);
  });

  it('a provider model reports `model_unavailable` if the connection closes before the first word', async () => {
    provider.mock.onMessage(/./, { content: TEXT }, { truncateAfterChunks: 2 });
    expect(await catchFailure(openModelAt(provider.url), createChatCall('x'))).toMatchObject({
      code: 'model_unavailable',
      isRetryable: true,
    });
  });

  it('a provider model reports `model_interrupted` if the response ends without a finish reason', async () => {
    provider.respondWith({ words: ['Half ', 'an'] });
    const error = await catchFailure(openModelAt(provider.responds), createChatCall('x'));
    expect(error).toMatchObject({ code: 'model_interrupted', isRetryable: false });
    expect(error.message).toContain('no finish reason');
  });

  it('a provider model reports `model_interrupted` if the provider ends the answer early', async () => {
    provider.respondWith({ words: ['Half ', 'an'], finishReason: reasons.interrupted });
    expect((await catchFailure(openModelAt(provider.responds), createChatCall('x'))).code).toBe('model_interrupted');
  });

  it('a provider model completes an answer that ends with the provider’s finish reason for complete answers', async () => {
    provider.respondWith({ words: ['Two ', 'years.'], finishReason: reasons.complete });
    const found = await readModel(openModelAt(provider.responds), createChatCall('x'));
    expect(found.texts.join('')).toBe('Two years.');
    expect(found.notes).toEqual([]);
  });

  it('a provider model adds the note `answer_truncated` to an answer that reached the token limit', async () => {
    provider.respondWith({ words: ['Two ', 'ye'], finishReason: reasons.truncated });
    const found = await readModel(openModelAt(provider.responds), createChatCall('x'));
    expect(found.texts.join('')).toBe('Two ye');
    expect(found.notes).toEqual(['answer_truncated']);
  });

  it('a provider model reports `model_refused` if a content filter stops the answer', async () => {
    provider.respondWith({ words: ['Two '], finishReason: reasons.refused });
    expect((await catchFailure(openModelAt(provider.responds), createChatCall('x'))).code).toBe('model_refused');
  });

  it.each([
    ['empty', ''],
    ['an HTML page', '<html><body>Sign in</body></html>'],
    ['JSON of another shape', 'data: {"type":"content_block_delta","choices":7,"candidates":7}\n\n'],
    ['incomplete JSON', 'data: {"choi\n\n'],
  ])('a provider model reports `model_invalid_response` as retryable for a response that is %s', async (_, raw) => {
    provider.respondWith({ raw });
    const failure = { code: 'model_invalid_response', isRetryable: true };
    expect(await catchFailure(openModelAt(provider.responds), createChatCall('x'))).toMatchObject(failure);
  });

  it('a provider model refuses an endless event, and closes its connection', async () => {
    const failure = await catchFailure(openModelAt(provider.endless), createChatCall('x'));
    expect(failure.code).toBe('model_interrupted');
    expect(failure.message).toContain('expected an event of at most 1048576 bytes, found a longer one');
    await provider.waitForDisconnect();
  });

  it('a provider model reads only the beginning of the body of an error response', async () => {
    expect((await catchFailure(openModelAt(provider.fails), createChatCall('x'))).code).toBe('model_unavailable');
  });

  it('a provider model follows no redirects', async () => {
    expect((await catchFailure(openModelAt(provider.redirects), createChatCall('x'))).code).toBe('model_refused');
    expect(provider.requests).toEqual([]);
  });

  it('when the caller disconnects, a provider model aborts the request to the provider, and throws the abort reason', async () => {
    const caller = new AbortController();
    const reason = new Error('the caller disconnected');
    const reading = (async () => {
      for await (const piece of openModelAt(provider.hangs).generate(createChatCall('x', { signal: caller.signal }))) {
        expect(piece).toEqual({ text: 'One' });
        caller.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    await provider.waitForDisconnect();
  });

  it('a provider model aborts the request to the provider when the reader of the answer stops reading', async () => {
    for await (const piece of openModelAt(provider.hangs).generate(createChatCall('x'))) {
      expect(piece).toEqual({ text: 'One' });
      break;
    }
    await provider.waitForDisconnect();
  });
});

describe('createProviderModel for Google', () => {
  const openGoogleModel = (): ChatModel =>
    createProviderModel('m', openGoogle({ baseUrl: provider.responds, apiKey: 'k' }, 'a-model'));

  it('a provider model reports `model_refused` if Google blocks the prompt', async () => {
    provider.respondWith({ raw: 'data: {"promptFeedback":{"blockReason":"SAFETY"}}\n\n' });
    expect(await catchFailure(openGoogleModel(), createChatCall('x'))).toMatchObject({
      code: 'model_refused',
      isRetryable: false,
    });
  });

  it('a provider model reports `model_interrupted` if Google sends an invalid chunk after the first text', async () => {
    const word = 'data: {"candidates":[{"content":{"role":"model","parts":[{"text":"One"}]}}]}\n\n';
    provider.respondWith({ raw: `${word}data: {"candi\n\n` });
    expect((await catchFailure(openGoogleModel(), createChatCall('x'))).code).toBe('model_interrupted');
  });
});

describe('createProviderModel for Anthropic', () => {
  it('a provider model reports the last number of answer tokens that Anthropic sends, because each number includes the earlier ones', async () => {
    const usage = { input_tokens: 11, output_tokens: 2 };
    const events = [
      { type: 'message_start', message: { content: [], usage } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'One' } },
      { type: 'message_delta', delta: {}, usage: { output_tokens: 40 } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 89 } },
      { type: 'message_stop' },
    ];
    provider.respondWith({
      raw: events.map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`).join(''),
    });
    const model = createProviderModel('m', openAnthropic({ baseUrl: provider.responds, apiKey: 'k' }, 'a-model'));
    expect((await readModel(model, createChatCall('x'))).usage).toEqual({ promptTokens: 11, completionTokens: 89 });
  });

  it('a provider model reports `model_interrupted` if Anthropic sends an error event within the answer', async () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    const start = { type: 'message_start', message: { content: [], usage: { input_tokens: 1, output_tokens: 0 } } };
    const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'One' } };
    const events = [start, delta, error].map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
    provider.respondWith({ raw: events.join('') });
    const model = createProviderModel('m', openAnthropic({ baseUrl: provider.responds, apiKey: 'k' }, 'a-model'));
    expect((await catchFailure(model, createChatCall('x'))).code).toBe('model_interrupted');
  });
});

describe('the settings of a call', () => {
  const ALL: ChatSettings = {
    temperature: 0.3,
    maxTokens: 77,
    topP: 0.9,
    presencePenalty: 0.5,
    frequencyPenalty: -0.5,
  };
  const captureRequestBody = async (at: string, open: OpenResponse, settings = ALL): Promise<unknown> => {
    provider.mock.onMessage(/./, { content: 'yes' });
    const received = Promise.withResolvers<unknown>();
    provider.mock.mount(at, {
      handleRequest: async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        received.resolve(JSON.parse(Buffer.concat(chunks).toString()));
        response.writeHead(400).end();
        return true;
      },
    });
    await readModel(createProviderModel('m', open), createChatCall('x', { settings })).catch(() => undefined);
    return received.promise;
  };

  it('a provider model sends all settings of a call to an OpenAI-compatible provider', async () => {
    const body = await captureRequestBody(
      '/o',
      openOpenAi({ baseUrl: `${provider.url}/o/v1`, apiKey: undefined }, 'a-model'),
    );
    expect(body).toMatchObject({
      model: 'a-model',
      temperature: 0.3,
      max_tokens: 77,
      top_p: 0.9,
      presence_penalty: 0.5,
      frequency_penalty: -0.5,
    });
  });

  it('a provider model sends the temperature and the token limit of a call to Anthropic', async () => {
    const open = openAnthropic({ baseUrl: `${provider.url}/a`, apiKey: 'k' }, 'a-model');
    const body = await captureRequestBody('/a', open, { temperature: 0.3, maxTokens: 77 });
    expect(body).toMatchObject({ model: 'a-model', temperature: 0.3, max_tokens: 77 });
  });

  it('a provider model sends all settings of a call to Google', async () => {
    const body = await captureRequestBody('/g', openGoogle({ baseUrl: `${provider.url}/g`, apiKey: 'k' }, 'a-model'));
    expect(body).toMatchObject({
      generationConfig: {
        temperature: 0.3,
        maxOutputTokens: 77,
        topP: 0.9,
        presencePenalty: 0.5,
        frequencyPenalty: -0.5,
      },
    });
  });
});

describe('connectOpenAiCompatible', () => {
  it('the OpenAI-compatible client sends the API key of the provider, and ignores variables such as `OPENAI_API_KEY`', async () => {
    const foreign = { OPENAI_API_KEY: 'foreign', OPENAI_ORG_ID: 'foreign', OPENAI_ORGANIZATION: 'foreign' };
    Object.assign(process.env, foreign, { OPENAI_PROJECT_ID: 'foreign', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' });
    try {
      const open = openOpenAi({ baseUrl: `${provider.hangs}/v1`, apiKey: 'own' }, 'a-model');
      const [piece] = await readFirstPiece(createProviderModel('m', open));
      expect(piece).toEqual({ text: 'One' });
    } finally {
      for (const name of [...Object.keys(foreign), 'OPENAI_PROJECT_ID', 'OPENAI_BASE_URL'])
        Reflect.deleteProperty(process.env, name);
    }
    const [sent, ...more] = provider.requests;
    expect(sent?.headers.authorization).toBe('Bearer own');
    expect(JSON.stringify(sent?.headers)).not.toContain('foreign');
    expect(more).toEqual([]);
  });
});

async function readFirstPiece(model: ChatModel): Promise<ChatPiece[]> {
  for await (const piece of model.generate(createChatCall('x'))) return [piece];
  return [];
}
