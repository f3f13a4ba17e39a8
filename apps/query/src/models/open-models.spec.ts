import type { ModelName } from '@quarry/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFakeProvider, type FakeProvider } from '../testing/fake-provider.js';
import { chatCall, readModel } from '../testing/read-model.js';
import { recordingLog } from '../testing/recording-log.js';
import type { ChatModel, ChatSettings } from './chat-model.js';
import {
  DEFAULT_LIMITS,
  PROVIDERS,
  type ModelLimits,
  type ModelSettings,
  type ProviderName,
} from './model-settings.js';
import { openModels } from './open-models.js';

let provider: FakeProvider;
beforeEach(async () => {
  provider = await startFakeProvider();
});
afterEach(async () => provider.close());

const { log, lines } = recordingLog();

interface Opening {
  readonly providers?: readonly ProviderName[];
  readonly limits?: Partial<ModelLimits>;
  readonly base?: string;
}

function settings({ providers = PROVIDERS, limits = {}, base = provider.url }: Opening): ModelSettings {
  const address = (name: ProviderName) => ({
    baseUrl: name === 'anthropic' || name === 'google' ? base : `${base}/v1`,
    apiKey: `key-of-${name}`,
  });
  return {
    providers: Object.fromEntries(providers.map((name) => [name, address(name)])),
    overrides: {},
    customModel: providers.includes('custom') ? 'llama3.1' : undefined,
    defaultModel: undefined,
    limits: { ...DEFAULT_LIMITS, ...limits },
  };
}

async function open(name: ModelName | undefined, opening: Opening = {}): Promise<ChatModel> {
  const model = (await openModels(settings(opening), log)).choose(name);
  if (model === undefined) throw new Error(`${String(name)} has a provider`);
  return model;
}

/** A public model name per provider, its provider's model name, and the header that carries the key. */
const NAMES = [
  ['openai', 'gpt_4o', 'openai/gpt-4o', 'authorization'],
  ['openrouter', 'claude_sonnet_4', 'openrouter/anthropic/claude-sonnet-4', 'authorization'],
  ['anthropic', 'claude_sonnet_4', 'anthropic/claude-sonnet-4-20250514', 'x-api-key'],
  ['google', 'gemini_flash_2', 'google/gemini-2.0-flash', 'x-goog-api-key'],
  ['deepseek', 'deepseek_v3', 'deepseek/deepseek-chat', 'authorization'],
  ['custom', undefined, 'custom/llama3.1', 'authorization'],
] as const;

describe.each(NAMES)('a model of %s', (name, requestedName, expected, header) => {
  const only = { providers: [name] };

  it('answers a call by its public name with the provider’s model', async () => {
    provider.mock.onMessage('warranty', { content: 'Two years.' });
    const model = await open(requestedName, only);
    expect(model.name).toBe(expected);
    const { texts } = await readModel(model, chatCall('warranty?'));
    expect(texts.join('')).toBe('Two years.');
    const sent = provider.mock.getLastRequest();
    expect(`${sent?.path ?? ''} ${JSON.stringify(sent?.body)}`).toContain(expected.slice(name.length + 1));
  });

  it('is retried after the provider was overloaded', async () => {
    provider.mock.nextRequestError(503, { message: 'overloaded' });
    provider.mock.onMessage(/./, { content: 'Two years.' });
    expect((await readModel(await open(requestedName, only), chatCall('x'))).texts.join('')).toBe('Two years.');
    expect(provider.mock.getRequests()).toHaveLength(2);
  });

  it('is not retried if the connection closes after the first word', async () => {
    const received: unknown[] = [];
    const model = await open(requestedName, { ...only, base: provider.dies });
    const reading = (async () => {
      for await (const piece of model.generate(chatCall('x'))) received.push(piece);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'model_interrupted' });
    expect(received).toEqual([{ text: 'One' }]);
    expect(provider.requests).toHaveLength(1);
  });

  it('times out before the first word, and aborts the request, which had the key', async () => {
    const model = await open(requestedName, { ...only, limits: { firstTextMs: 300 }, base: provider.silent });
    await expect(readModel(model, chatCall('x'))).rejects.toThrow(`${expected} sent no text for 300 ms`);
    await provider.left();
    expect(provider.requests[0]?.headers[header]).toContain(`key-of-${name}`);
  });

  it('times out after the first word, and aborts the request', async () => {
    const model = await open(requestedName, { ...only, limits: { nextTextMs: 50 }, base: provider.hangs });
    await expect(readModel(model, chatCall('x'))).rejects.toThrow(`${expected} sent no text for 50 ms`);
    await provider.left();
  });
});

describe('the models of a configuration', () => {
  it('are undefined without a provider', async () => {
    expect((await openModels(settings({ providers: [] }), log)).choose('gpt_4o')).toBeUndefined();
  });

  it('are opened once, so that refused settings are remembered', async () => {
    const models = await openModels(settings({}), log);
    expect(models.choose('gpt_4o')).toBe(models.choose('gpt_4o'));
  });

  it('omit settings that the provider does not support, and log them', async () => {
    provider.mock.onMessage(/./, { content: 'yes' });
    const ALL: ChatSettings = { temperature: 0.3, topP: 0.9, presencePenalty: 0.5, frequencyPenalty: -0.5 };
    await readModel(await open('claude_sonnet_4'), chatCall('x', { settings: ALL }));
    expect(lines()).toContain(
      '"model":"anthropic/claude-sonnet-4-20250514","dropped":["presencePenalty","frequencyPenalty","topP"]',
    );
  });

  it('omit a setting that one model refuses, and repeat the call', async () => {
    const message = "Unsupported parameter: 'presence_penalty' is not supported with this model.";
    provider.mock.nextRequestError(400, { message, type: 'invalid_request_error' });
    provider.mock.onMessage(/./, { content: 'yes' });
    const { texts } = await readModel(await open('gpt_4o'), chatCall('x', { settings: { presencePenalty: 0.5 } }));
    expect(texts.join('')).toBe('yes');
    expect(lines()).toContain('"model":"openai/gpt-4o","dropped":["presencePenalty"]');
  });
});
