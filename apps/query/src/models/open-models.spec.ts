import type { ModelName } from '@quarry/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFakeProvider, type FakeProvider } from '../testing/fake-provider.js';
import { createChatCall, readModel } from '../testing/read-model.js';
import { createRecordingLog } from '../testing/recording-log.js';
import type { ChatModel, ChatSettings } from './chat-model.js';
import {
  DEFAULT_BASE_URLS,
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

const { log, lines } = createRecordingLog();

interface Opening {
  readonly providers?: readonly ProviderName[];
  readonly limits?: Partial<ModelLimits>;
  readonly base?: string;
}

function createSettings({ providers = PROVIDERS, limits = {}, base = provider.url }: Opening): ModelSettings {
  const buildAddress = (name: ProviderName) => ({
    baseUrl: name === 'anthropic' || name === 'google' ? base : `${base}/v1`,
    apiKey: `key-of-${name}`,
  });
  return {
    baseUrls: DEFAULT_BASE_URLS,
    providers: Object.fromEntries(providers.map((name) => [name, buildAddress(name)])),
    overrides: {},
    customModel: providers.includes('custom') ? 'llama3.1' : undefined,
    defaultModel: undefined,
    limits: { ...DEFAULT_LIMITS, ...limits },
  };
}

async function openModel(name: ModelName | undefined, opening: Opening = {}): Promise<ChatModel> {
  const model = (await openModels(createSettings(opening), log)).choose(name);
  if (model === undefined) throw new Error(`expected a provider of the model ${String(name)}, found none`);
  return model;
}

/** Lists, per provider, a public model name, the provider's name of that model, and the header with the key. */
const NAMES = [
  ['openai', 'gpt_4o', 'openai/gpt-4o', 'authorization'],
  ['openrouter', 'claude_sonnet_4', 'openrouter/anthropic/claude-sonnet-4', 'authorization'],
  ['anthropic', 'claude_sonnet_4', 'anthropic/claude-sonnet-4-20250514', 'x-api-key'],
  ['google', 'gemini_flash_2', 'google/gemini-2.0-flash', 'x-goog-api-key'],
  ['deepseek', 'deepseek_v3', 'deepseek/deepseek-chat', 'authorization'],
  ['custom', undefined, 'custom/llama3.1', 'authorization'],
] as const;

describe.each(NAMES)('openModels for the provider %s', (name, requestedName, expected, header) => {
  const only = { providers: [name] };

  it('a model call sends the name that the provider uses for the model, instead of the public model name', async () => {
    provider.mock.onMessage('warranty', { content: 'Two years.' });
    const model = await openModel(requestedName, only);
    expect(model.name).toBe(expected);
    const { texts } = await readModel(model, createChatCall('warranty?'));
    expect(texts.join('')).toBe('Two years.');
    const sent = provider.mock.getLastRequest();
    expect(`${sent?.path ?? ''} ${JSON.stringify(sent?.body)}`).toContain(expected.slice(name.length + 1));
  });

  it.each(NAMES)(
    'a model call reports a failure of %s without the key that the provider quotes',
    async (name, model) => {
      provider.mock.onMessage(/./, { error: { message: `Incorrect key: key-of-${name}` }, status: 401 });
      const failure = readModel(await openModel(model, { providers: [name] }), createChatCall('x'));
      await expect(failure).rejects.toThrow('Incorrect key: [redacted]');
    },
  );

  it('a model call is repeated after the provider responded with 503', async () => {
    provider.mock.nextRequestError(503, { message: 'overloaded' });
    provider.mock.onMessage(/./, { content: 'Two years.' });
    expect((await readModel(await openModel(requestedName, only), createChatCall('x'))).texts.join('')).toBe(
      'Two years.',
    );
    expect(provider.mock.getRequests()).toHaveLength(2);
  });

  it('a model call is not repeated if the connection closes after the first word', async () => {
    const received: unknown[] = [];
    const model = await openModel(requestedName, { ...only, base: provider.dies });
    const reading = (async () => {
      for await (const piece of model.generate(createChatCall('x'))) received.push(piece);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'model_interrupted' });
    expect(received).toEqual([{ text: 'One' }]);
    expect(provider.requests).toHaveLength(1);
  });

  it('a model call fails and aborts its request if no first word arrives in time', async () => {
    const model = await openModel(requestedName, { ...only, limits: { firstTextMs: 300 }, base: provider.silent });
    await expect(readModel(model, createChatCall('x'))).rejects.toThrow(`${expected} sent no text for 300 ms`);
    await provider.waitForDisconnect();
    expect(provider.requests[0]?.headers[header]).toContain(`key-of-${name}`);
  });

  it('a model call fails and aborts its request if no further word arrives in time', async () => {
    const model = await openModel(requestedName, { ...only, limits: { nextTextMs: 50 }, base: provider.hangs });
    await expect(readModel(model, createChatCall('x'))).rejects.toThrow(`${expected} sent no text for 50 ms`);
    await provider.waitForDisconnect();
  });
});

describe('openModels', () => {
  it('openModels returns no model if no provider is configured', async () => {
    expect((await openModels(createSettings({ providers: [] }), log)).choose('gpt_4o')).toBeUndefined();
  });

  it('openModels returns the same object for a model each time, because the object stores which settings the model refused', async () => {
    const models = await openModels(createSettings({}), log);
    expect(models.choose('gpt_4o')).toBe(models.choose('gpt_4o'));
  });

  it('a model call omits settings that the provider does not support, and logs these settings', async () => {
    provider.mock.onMessage(/./, { content: 'yes' });
    const ALL: ChatSettings = { temperature: 0.3, topP: 0.9, presencePenalty: 0.5, frequencyPenalty: -0.5 };
    await readModel(await openModel('claude_sonnet_4'), createChatCall('x', { settings: ALL }));
    expect(lines()).toContain(
      '"model":"anthropic/claude-sonnet-4-20250514","dropped":["presencePenalty","frequencyPenalty","topP"]',
    );
  });

  it('if a model refuses a setting that its provider supports, the model call is repeated without this setting', async () => {
    const message = "Unsupported parameter: 'presence_penalty' is not supported with this model.";
    provider.mock.nextRequestError(400, { message, type: 'invalid_request_error' });
    provider.mock.onMessage(/./, { content: 'yes' });
    const { texts } = await readModel(
      await openModel('gpt_4o'),
      createChatCall('x', { settings: { presencePenalty: 0.5 } }),
    );
    expect(texts.join('')).toBe('yes');
    expect(lines()).toContain('"model":"openai/gpt-4o","dropped":["presencePenalty"]');
  });
});
