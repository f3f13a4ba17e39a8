import { MODEL_NAMES } from '@quarry/contracts';
import { describe, expect, it } from 'vitest';
import { chooseModel, ModelNotConfigured } from './model-choice.js';
import { DEFAULT_LIMITS, type ModelSettings, type ProviderName } from './model-settings.js';

const PROVIDER = { baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'k' };

function settings(providers: readonly ProviderName[], more: Partial<ModelSettings> = {}): ModelSettings {
  return {
    providers: Object.fromEntries(providers.map((name) => [name, PROVIDER])),
    overrides: {},
    customModel: undefined,
    defaultModel: undefined,
    limits: DEFAULT_LIMITS,
    ...more,
  };
}

describe('the choice of a model', () => {
  it('is undefined if no provider is configured, for every requested name', () => {
    expect(chooseModel(settings([]), undefined)).toBeUndefined();
    expect(chooseModel(settings([]), 'gpt_4o')).toBeUndefined();
  });

  it('prefers the model’s own provider to OpenRouter', () => {
    const both = settings(['openrouter', 'anthropic']);
    expect(chooseModel(both, 'claude_sonnet_4')).toEqual({ provider: 'anthropic', model: 'claude-sonnet-4-20250514' });
    expect(chooseModel(both, 'gpt_4o')).toEqual({ provider: 'openrouter', model: 'openai/gpt-4o' });
  });

  it.each(MODEL_NAMES)('finds %s with only an OpenRouter key', (name) => {
    expect(chooseModel(settings(['openrouter']), name)).toMatchObject({ provider: 'openrouter' });
  });

  it('follows an override', () => {
    const overrides = { gpt_4o: { provider: 'custom', model: 'llama3.1' } } as const;
    expect(chooseModel(settings(['openai', 'custom'], { overrides }), 'gpt_4o')).toEqual(overrides.gpt_4o);
  });

  it('fails with the variables to set if only another provider is configured', () => {
    const choose = (): unknown => chooseModel(settings(['google']), 'gpt_4_1_mini');
    expect(choose).toThrow(ModelNotConfigured);
    expect(choose).toThrow(
      'The model gpt_4_1_mini has no configured provider. Set OPENAI_API_KEY or OPENROUTER_API_KEY, or map the name to another model with QUARRY_MODEL_GPT_4_1_MINI.',
    );
  });

  it('is, without a name, the default, then the custom model, then the first configured model of the table', () => {
    const custom = { customModel: 'llama3.1', defaultModel: 'gemini_flash_2' } as const;
    expect(chooseModel(settings(['google', 'custom'], custom), undefined)).toMatchObject({ provider: 'google' });
    expect(chooseModel(settings(['openai', 'custom'], custom), undefined)).toEqual({
      provider: 'custom',
      model: 'llama3.1',
    });
    expect(chooseModel(settings(['deepseek', 'openai']), undefined)).toMatchObject({ model: 'gpt-4o-mini' });
    expect(chooseModel(settings(['deepseek']), undefined)).toMatchObject({ model: 'deepseek-chat' });
  });
});
