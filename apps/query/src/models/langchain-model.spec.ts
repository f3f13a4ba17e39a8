import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chatCall, readModel } from '../testing/read-model.js';
import { startFakeProvider, type FakeProvider } from '../testing/fake-provider.js';
import { ModelFailed, type ChatCall, type ChatModel, type ChatPiece, type ChatSettings } from './chat-model.js';
import { langchainModel, type OpenClient } from './langchain-model.js';
import type { ProviderSettings } from './model-settings.js';
import { anthropic } from './providers/anthropic.js';
import { google } from './providers/google.js';
import { openAiCompatible } from './providers/openai-compatible.js';

interface Case {
  readonly name: string;
  readonly path: string;
  readonly open: (settings: ProviderSettings, model: string) => OpenClient;
  /** As the provider reports 11 and 3 tokens. */
  readonly usage: Record<string, number>;
  readonly completionTokens: number;
}

const CASES: readonly Case[] = [
  {
    name: 'OpenAI',
    path: '/v1',
    open: openAiCompatible,
    usage: { prompt_tokens: 11, completion_tokens: 3 },
    completionTokens: 3,
  },
  {
    name: 'Anthropic',
    path: '',
    open: anthropic,
    usage: { input_tokens: 11, output_tokens: 3 },
    // Its first event counts what was said by then, which is next to nothing; the fake says 3 there too.
    completionTokens: 6,
  },
  {
    name: 'Google',
    path: '',
    open: google,
    usage: { promptTokenCount: 11, candidatesTokenCount: 3 },
    completionTokens: 3,
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

describe.each(CASES)('a model of $name', ({ path, open, usage, completionTokens }) => {
  const at = (base: string): ChatModel =>
    langchainModel('test/model', open({ baseUrl: `${base}${path}`, apiKey: 'the-key' }, 'a-model'));

  it('streams the text in pieces, and its usage', async () => {
    provider.mock.onMessage('warranty', { content: TEXT, usage });
    const found = await readModel(at(provider.url), chatCall('How long is the warranty?'));
    expect(found.texts.join('')).toBe(TEXT);
    expect(found.texts.length).toBeGreaterThan(3);
    expect(found.usage).toEqual({ promptTokens: 11, completionTokens });
  });

  it('passes on the system prompt and the conversation in order', async () => {
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

  it('says that the provider asks to wait, and how long', async () => {
    provider.mock.onMessage(/./, {
      error: { message: 'slow down', type: 'rate_limit_error' },
      status: 429,
      retryAfter: 7,
    });
    const error = await failureOf(at(provider.url), chatCall('x'));
    expect(error).toMatchObject({ code: 'model_rate_limited', again: true, afterMs: 7_000 });
    expect(error.message).toMatch(/^test\/model: .*slow down/);
    expect(provider.mock.getRequests()).toHaveLength(1);
  });

  it.each([
    [500, 'oops', { code: 'model_unavailable', again: true }],
    [401, 'bad key', { code: 'model_refused', again: false }],
    [400, 'the context length is 8192 tokens, however you asked for 9000', { code: 'context_too_long', again: false }],
  ])('calls a %i with %j by its name', async (status, message, expected) => {
    provider.mock.onMessage(/./, { error: { message }, status });
    expect(await failureOf(at(provider.url), chatCall('x'))).toMatchObject(expected);
    expect(provider.mock.getRequests()).toHaveLength(1);
  });

  it('says that nothing listens at the address', async () => {
    await provider.close();
    expect(await failureOf(at(provider.url), chatCall('x'))).toMatchObject({ code: 'model_unavailable', again: true });
    provider = await startFakeProvider();
  });

  it('takes an answer without text for none', async () => {
    provider.mock.onMessage(/./, { content: '' });
    const error = await failureOf(at(provider.url), chatCall('x'));
    expect(error.code).toBe('model_refused');
    expect(error.message).toContain('ended without any text');
  });

  it('takes an answer that breaks off for a failure', async () => {
    provider.mock.onMessage(/./, { content: TEXT }, { truncateAfterChunks: 2 });
    expect((await failureOf(at(provider.url), chatCall('x'))).code).toBe('model_unavailable');
  });

  it('ends the request when the caller leaves, and throws the reason', async () => {
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

  it('ends the request when the reader stops reading', async () => {
    for await (const piece of at(provider.hangs).generate(chatCall('x'))) {
      expect(piece).toEqual({ text: 'One' });
      break;
    }
    await provider.left();
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
    await readModel(langchainModel('m', open), chatCall('x', { settings })).catch(() => undefined);
    return received.promise;
  };

  it('reach an OpenAI-compatible provider', async () => {
    const body = await sentBy(
      '/o',
      openAiCompatible({ baseUrl: `${provider.url}/o/v1`, apiKey: undefined }, 'a-model'),
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

  it('reach Anthropic as far as it has them', async () => {
    const open = anthropic({ baseUrl: `${provider.url}/a`, apiKey: 'k' }, 'a-model');
    const body = await sentBy('/a', open, { temperature: 0.3, maxTokens: 77 });
    expect(body).toMatchObject({ model: 'a-model', temperature: 0.3, max_tokens: 77 });
  });

  it('reach Google', async () => {
    const body = await sentBy('/g', google({ baseUrl: `${provider.url}/g`, apiKey: 'k' }, 'a-model'));
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
  it('is sent its own key, and nothing that the environment holds for another address', async () => {
    const foreign = { OPENAI_API_KEY: 'foreign', OPENAI_ORG_ID: 'foreign', OPENAI_ORGANIZATION: 'foreign' };
    Object.assign(process.env, foreign, { OPENAI_PROJECT_ID: 'foreign', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' });
    try {
      const open = openAiCompatible({ baseUrl: `${provider.hangs}/v1`, apiKey: 'own' }, 'a-model');
      const [piece] = await firstOf(langchainModel('m', open));
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
