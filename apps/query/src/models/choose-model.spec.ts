import { MODEL_NAMES } from '@quarry/contracts';
import { describe, expect, it } from 'vitest';
import { chooseModel, listConfiguredModels, ModelNotConfigured } from './choose-model.js';
import { DEFAULT_BASE_URLS, DEFAULT_LIMITS, type ModelSettings, type ProviderName } from './model-settings.js';

const PROVIDER = { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'k' };

function createSettings(providers: readonly ProviderName[], more: Partial<ModelSettings> = {}): ModelSettings {
  return {
    baseUrls: DEFAULT_BASE_URLS,
    providers: Object.fromEntries(providers.map((name) => [name, PROVIDER])),
    overrides: {},
    customModel: undefined,
    defaultModel: undefined,
    limits: DEFAULT_LIMITS,
    ...more,
  };
}

describe('chooseModel', () => {
  it('chooseModel returns undefined for every model name if no provider is configured', () => {
    expect(chooseModel(createSettings([]), undefined)).toBeUndefined();
    expect(chooseModel(createSettings([]), 'gpt_4o')).toBeUndefined();
  });

  it('chooseModel prefers the model’s own provider to OpenRouter', () => {
    const both = createSettings(['openrouter', 'anthropic']);
    expect(chooseModel(both, 'claude_sonnet_4')).toEqual({ provider: 'anthropic', model: 'claude-sonnet-4-20250514' });
    expect(chooseModel(both, 'gpt_4o')).toEqual({ provider: 'openrouter', model: 'openai/gpt-4o' });
  });

  it.each(MODEL_NAMES)('chooseModel chooses %s from OpenRouter if only OpenRouter has a key', (name) => {
    expect(chooseModel(createSettings(['openrouter']), name)).toMatchObject({ provider: 'openrouter' });
  });

  it('if an override maps a model name to another model, chooseModel returns this other model', () => {
    const overrides = { gpt_4o: { provider: 'custom', model: 'llama3.1' } } as const;
    expect(chooseModel(createSettings(['openai', 'custom'], { overrides }), 'gpt_4o')).toEqual(overrides.gpt_4o);
  });

  it('if no provider of the model is configured, the error of chooseModel names the variables to set', () => {
    const chooseMissing = (): unknown => chooseModel(createSettings(['google']), 'gpt_4_1_mini');
    expect(chooseMissing).toThrow(ModelNotConfigured);
    expect(chooseMissing).toThrow(
      'The model gpt_4_1_mini has no configured provider. Connect openai or openrouter with PUT /model-connections/{provider}, set OPENAI_API_KEY or OPENROUTER_API_KEY, or map the name to another model with QUARRY_MODEL_GPT_4_1_MINI.',
    );
  });

  it('chooseModel without a name returns the default model, else the custom model, else the first configured model', () => {
    const custom = { customModel: 'llama3.1', defaultModel: 'gemini_flash_2' } as const;
    expect(chooseModel(createSettings(['google', 'custom'], custom), undefined)).toMatchObject({ provider: 'google' });
    expect(chooseModel(createSettings(['openai', 'custom'], custom), undefined)).toEqual({
      provider: 'custom',
      model: 'llama3.1',
    });
    expect(chooseModel(createSettings(['deepseek', 'openai']), undefined)).toMatchObject({ model: 'gpt-4o-mini' });
    expect(chooseModel(createSettings(['deepseek']), undefined)).toMatchObject({ model: 'deepseek-chat' });
  });
});

describe('listConfiguredModels', () => {
  it('listConfiguredModels lists exactly the model names for which chooseModel returns a model', () => {
    const settings = createSettings(['anthropic']);
    const models = listConfiguredModels(settings);
    expect(models).toContain('claude_sonnet_4');
    for (const name of models) expect(chooseModel(settings, name)).toBeDefined();
    for (const name of MODEL_NAMES.filter((one) => !models.includes(one)))
      expect(() => chooseModel(settings, name)).toThrow(ModelNotConfigured);
  });

  it('listConfiguredModels lists no model name if no provider is configured', () => {
    expect(listConfiguredModels(createSettings([]))).toEqual([]);
  });
});
