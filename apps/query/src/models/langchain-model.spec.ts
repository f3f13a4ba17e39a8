import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chatCall, readModel } from '../testing/read-model.js';
import { startFakeProvider, type FakeProvider } from '../testing/fake-provider.js';
import { ModelFailed, type ChatCall, type ChatModel, type ChatPiece, type ChatSettings } from './chat-model.js';
import { createLangchainModel, type OpenClient } from './langchain-model.js';
import type { ProviderSettings } from './model-settings.js';
import { openAnthropic } from './providers/anthropic.js';
import { openGoogle } from './providers/google.js';
import { openOpenAiCompatible } from './providers/openai-compatible.js';

interface Case {
  readonly name: string;
  readonly path: string;
  readonly open: (settings: ProviderSettings, model: string) => OpenClient;
  /** Token counts as the provider reports them: 11 and 3. */
  readonly usage: Record<string, number>;
  readonly completionTokens: number;
  /** Finish reasons of the provider for a complete answer, the token limit, a filter and an interruption. */
  readonly reasons: Readonly<Record<'complete' | 'truncated' | 'refused' | 'interrupted', string>>;
}

const CASES: readonly Case[] = [
  {
    name: 'OpenAI',
    path: '/v1',
    open: openOpenAiCompatible,
    usage: { prompt_tokens: 11, completion_tokens: 3 },
    completionTokens: 3,
    reasons: { complete: 'stop', truncated: 'length', refused: 'content_filter', interrupted: 'error' },
  },
  {
    name: 'Anthropic',
    path: '',
    open: openAnthropic,
    usage: { input_tokens: 11, output_tokens: 3 },
    // The first event of Anthropic counts the tokens so far, which are close to none; the fake reports 3 there too.
    completionTokens: 6,
    // Anthropic reports an error as an event of its own, which is tested below.
    reasons: { complete: 'end_turn', truncated: 'max_tokens', refused: 'refusal', interrupted: 'error' },
  },
  {
    name: 'Google',
    path: '',
    open: openGoogle,
    usage: { promptTokenCount: 11, candidatesTokenCount: 3 },
    completionTokens: 3,
    reasons: { complete: 'STOP', truncated: 'MAX_TOKENS', refused: 'SAFETY', interrupted: 'OTHER' },
  },
];

const TEXT = 'The warranty lasts two years — 二年 🙂, in every country.';

let provider: FakeProvider;
beforeEach(async () => {
  provider = await startFakeProvider();
});
afterEach(async () => provider.close());

async function failureOf(model: ChatModel, call: ChatCall): Promise<ModelFailed> {
  const error: unknown = await readModel(model, call).catch((thrown: unknown) => thrown);
  if (error instanceof ModelFailed) return error;
  throw new Error(`ModelFailed was expected, found ${String(error)}`);
}

describe.each(CASES)('a model of $name', ({ path, open, usage, completionTokens, reasons }) => {
  const at = (base: string): ChatModel =>
    createLangchainModel('test/model', open({ baseUrl: `${base}${path}`, apiKey: 'the-key' }, 'a-model'));

  it('streams the text in pieces, and reports its usage', async () => {
    provider.mock.onMessage('warranty', { content: TEXT, usage });
    const found = await readModel(at(provider.url), chatCall('How long is the warranty?'));
    expect(found.texts.join('')).toBe(TEXT);
    expect(found.texts.length).toBeGreaterThan(3);
    expect(found.usage).toEqual({ promptTokens: 11, completionTokens });
  });

  it('sends the system prompt and the conversation in order', async () => {
    provider.mock.onMessage(/./, { content: 'yes' });
    const messages = [
      { role: 'user', text: 'first {question}' },
      { role: 'assistant', text: 'first answer' },
      { role: 'user', text: 'second question' },
    ] as const;
    await readModel(at(provider.url), chatCall('', { messages }));
    const sent = JSON.stringify(provider.mock.getLastRequest()?.body);
    const order = ['Be brief.', 'first {question}', 'first answer', 'second question'].map((text) =>
      sent.indexOf(text),
    );
    expect(order).toEqual([...order].sort((one, other) => one - other));
    expect(Math.min(...order)).toBeGreaterThan(-1);
  });

  it('reports that the provider limits requests, and the retry delay', async () => {
    provider.mock.onMessage(/./, {
      error: { message: 'slow down', type: 'rate_limit_error' },
      status: 429,
      retryAfter: 7,
    });
    const error = await failureOf(at(provider.url), chatCall('x'));
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
  ])('maps the status %i with the message %j', async (status, message, expected) => {
    provider.mock.onMessage(/./, { error: { message }, status });
    expect(await failureOf(at(provider.url), chatCall('x'))).toMatchObject(expected);
    expect(provider.mock.getRequests()).toHaveLength(1);
  });

  it('reports an address without a listener as unavailable', async () => {
    await provider.close();
    expect(await failureOf(at(provider.url), chatCall('x'))).toMatchObject({
      code: 'model_unavailable',
      isRetryable: true,
    });
    provider = await startFakeProvider();
  });

  it('treats an answer without text as a failure', async () => {
    provider.mock.onMessage(/./, { content: '' });
    const error = await failureOf(at(provider.url), chatCall('x'));
    expect(error.code).toBe('model_invalid_response');
    expect(error.message).toContain('ended without text');
  });

  it('reports an answer as interrupted if its connection closes', async () => {
    const failure = { code: 'model_interrupted', isRetryable: false };
    expect(await failureOf(at(provider.dies), chatCall('x'))).toMatchObject(failure);
  });

  it('reports the provider as unavailable if the connection closes before the first word', async () => {
    provider.mock.onMessage(/./, { content: TEXT }, { truncateAfterChunks: 2 });
    expect(await failureOf(at(provider.url), chatCall('x'))).toMatchObject({
      code: 'model_unavailable',
      isRetryable: true,
    });
  });

  it('reports a response that ends within its answer as interrupted', async () => {
    provider.respondWith({ words: ['Half ', 'an'] });
    const error = await failureOf(at(provider.responds), chatCall('x'));
    expect(error).toMatchObject({ code: 'model_interrupted', isRetryable: false });
    expect(error.message).toContain('no finish reason');
  });

  it('reports an answer that the provider stopped as interrupted', async () => {
    provider.respondWith({ words: ['Half ', 'an'], finishReason: reasons.interrupted });
    expect((await failureOf(at(provider.responds), chatCall('x'))).code).toBe('model_interrupted');
  });

  it('completes with the finish reason of a complete answer', async () => {
    provider.respondWith({ words: ['Two ', 'years.'], finishReason: reasons.complete });
    const found = await readModel(at(provider.responds), chatCall('x'));
    expect(found).toMatchObject({ texts: ['Two ', 'years.'], notes: [] });
  });

  it('notes that the answer reached its token limit', async () => {
    provider.respondWith({ words: ['Two ', 'ye'], finishReason: reasons.truncated });
    const found = await readModel(at(provider.responds), chatCall('x'));
    expect(found).toMatchObject({ texts: ['Two ', 'ye'], notes: ['answer_truncated'] });
  });

  it('reports an answer that a filter stopped as refused', async () => {
    provider.respondWith({ words: ['Two '], finishReason: reasons.refused });
    expect((await failureOf(at(provider.responds), chatCall('x'))).code).toBe('model_refused');
  });

  it.each([
    ['nothing', ''],
    ['a page', '<html><body>Sign in</body></html>'],
    ['JSON of another shape', 'data: {"type":"content_block_delta","choices":7,"candidates":7}\n\n'],
    ['half of JSON', 'data: {"choi\n\n'],
  ])('reports a response that is %s as invalid and retryable', async (_, raw) => {
    provider.respondWith({ raw });
    const failure = { code: 'model_invalid_response', isRetryable: true };
    expect(await failureOf(at(provider.responds), chatCall('x'))).toMatchObject(failure);
  });

  it('aborts the request when the caller disconnects, and throws its reason', async () => {
    const caller = new AbortController();
    const reason = new Error('the caller left');
    const reading = (async () => {
      for await (const piece of at(provider.hangs).generate(chatCall('x', { signal: caller.signal }))) {
        expect(piece).toEqual({ text: 'One' });
        caller.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    await provider.left();
  });

  it('aborts the request when the reader stops reading', async () => {
    for await (const piece of at(provider.hangs).generate(chatCall('x'))) {
      expect(piece).toEqual({ text: 'One' });
      break;
    }
    await provider.left();
  });
});

describe('Google', () => {
  const model = (): ChatModel =>
    createLangchainModel('m', openGoogle({ baseUrl: provider.responds, apiKey: 'k' }, 'a-model'));

  it('reports a blocked prompt as refused', async () => {
    provider.respondWith({ raw: 'data: {"promptFeedback":{"blockReason":"SAFETY"}}\n\n' });
    expect(await failureOf(model(), chatCall('x'))).toMatchObject({ code: 'model_refused', isRetryable: false });
  });

  it('does not complete an answer with a chunk that cannot be parsed', async () => {
    const word = 'data: {"candidates":[{"content":{"role":"model","parts":[{"text":"One"}]}}]}\n\n';
    provider.respondWith({ raw: `${word}data: {"candi\n\n` });
    expect((await failureOf(model(), chatCall('x'))).code).toBe('model_interrupted');
  });
});

describe('Anthropic', () => {
  it('interrupts an answer with an error event', async () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    const start = { type: 'message_start', message: { content: [], usage: { input_tokens: 1, output_tokens: 0 } } };
    const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'One' } };
    const events = [start, delta, error].map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
    provider.respondWith({ raw: events.join('') });
    const model = createLangchainModel('m', openAnthropic({ baseUrl: provider.responds, apiKey: 'k' }, 'a-model'));
    expect((await failureOf(model, chatCall('x'))).code).toBe('model_interrupted');
  });
});

describe('settings', () => {
  const ALL: ChatSettings = {
    temperature: 0.3,
    maxTokens: 77,
    topP: 0.9,
    presencePenalty: 0.5,
    frequencyPenalty: -0.5,
  };
  const sentBy = async (at: string, open: OpenClient, settings = ALL): Promise<unknown> => {
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
    await readModel(createLangchainModel('m', open), chatCall('x', { settings })).catch(() => undefined);
    return received.promise;
  };

  it('are sent to an OpenAI-compatible provider', async () => {
    const body = await sentBy(
      '/o',
      openOpenAiCompatible({ baseUrl: `${provider.url}/o/v1`, apiKey: undefined }, 'a-model'),
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

  it('are sent to Anthropic if it supports them', async () => {
    const open = openAnthropic({ baseUrl: `${provider.url}/a`, apiKey: 'k' }, 'a-model');
    const body = await sentBy('/a', open, { temperature: 0.3, maxTokens: 77 });
    expect(body).toMatchObject({ model: 'a-model', temperature: 0.3, max_tokens: 77 });
  });

  it('are sent to Google', async () => {
    const body = await sentBy('/g', openGoogle({ baseUrl: `${provider.url}/g`, apiKey: 'k' }, 'a-model'));
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

describe('an OpenAI-compatible provider', () => {
  it('receives its own key and no OpenAI settings from the environment', async () => {
    const foreign = { OPENAI_API_KEY: 'foreign', OPENAI_ORG_ID: 'foreign', OPENAI_ORGANIZATION: 'foreign' };
    Object.assign(process.env, foreign, { OPENAI_PROJECT_ID: 'foreign', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' });
    try {
      const open = openOpenAiCompatible({ baseUrl: `${provider.hangs}/v1`, apiKey: 'own' }, 'a-model');
      const [piece] = await firstOf(createLangchainModel('m', open));
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

async function firstOf(model: ChatModel): Promise<ChatPiece[]> {
  for await (const piece of model.generate(chatCall('x'))) return [piece];
  return [];
}
