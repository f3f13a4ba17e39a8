import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startFakeProvider, type FakeProvider } from '../testing/fake-provider.js';
import { chatCall, readModel } from '../testing/read-model.js';
import { DEFAULT_LIMITS, type ModelLimits } from './model-settings.js';
import { openModels, type Models } from './open-models.js';

let provider: FakeProvider;
beforeEach(async () => {
  provider = await startFakeProvider();
});
afterEach(async () => provider.close());

function open(limits: Partial<ModelLimits> = {}, base = provider.url): Promise<Models> {
  const at = { apiKey: 'k', baseUrl: base };
  return openModels({
    providers: { openai: { ...at, baseUrl: `${base}/v1` }, anthropic: at, google: at },
    overrides: {},
    customModel: undefined,
    defaultModel: undefined,
    limits: { ...DEFAULT_LIMITS, ...limits },
  });
}

describe('the models of a configuration', () => {
  it.each([
    ['gpt_4o', 'openai/gpt-4o'],
    ['claude_sonnet_4', 'anthropic/claude-sonnet-4-20250514'],
    ['gemini_flash_2', 'google/gemini-2.0-flash'],
  ] as const)('have %s answer through %s', async (name, expected) => {
    provider.mock.onMessage('warranty', { content: 'Two years.' });
    const model = (await open()).choose(name);
    expect(model?.name).toBe(expected);
    if (model === undefined) throw new Error(`${name} has a provider`);
    const { texts } = await readModel(model, chatCall('warranty?'));
    expect(texts.join('')).toBe('Two years.');
  });

  it('are none without a provider', async () => {
    const settings = {
      providers: {},
      overrides: {},
      customModel: undefined,
      defaultModel: undefined,
      limits: DEFAULT_LIMITS,
    };
    expect((await openModels(settings)).choose('gpt_4o')).toBeUndefined();
  });

  it('are called again when the provider was overloaded', async () => {
    provider.mock.nextRequestError(503, { message: 'overloaded' });
    provider.mock.onMessage(/./, { content: 'Two years.' });
    const model = (await open()).choose('gpt_4o');
    if (model === undefined) throw new Error('gpt_4o has a provider');
    expect((await readModel(model, chatCall('x'))).texts.join('')).toBe('Two years.');
    expect(provider.mock.getRequests()).toHaveLength(2);
  });

  it('are given up on in the middle of an answer that does not go on, and the request is ended', async () => {
    const model = (await open({ nextTextMs: 50 }, provider.hangs)).choose('gpt_4o');
    if (model === undefined) throw new Error('gpt_4o has a provider');
    await expect(readModel(model, chatCall('x'))).rejects.toThrow('openai/gpt-4o was silent for 50 ms');
    await provider.left();
  });
});
