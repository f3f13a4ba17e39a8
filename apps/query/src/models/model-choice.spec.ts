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
  it('is none where no provider is configured, whatever is asked for', () => {
    expect(chooseModel(settings([]), undefined)).toBeUndefined();
    expect(chooseModel(settings([]), 'gpt_4o')).toBeUndefined();
  });

  it('is the maker’s own address before OpenRouter', () => {
    const both = settings(['openrouter', 'anthropic']);
    expect(chooseModel(both, 'claude_sonnet_4')).toEqual({ provider: 'anthropic', model: 'claude-sonnet-4-20250514' });
    expect(chooseModel(both, 'gpt_4o')).toEqual({ provider: 'openrouter', model: 'openai/gpt-4o' });
  });

  it.each(MODEL_NAMES)('has a place for %s with OpenRouter’s key alone', (name) => {
    expect(chooseModel(settings(['openrouter']), name)).toMatchObject({ provider: 'openrouter' });
  });

  it('is where an override leads', () => {
    const overrides = { gpt_4o: { provider: 'custom', model: 'llama3.1' } } as const;
    expect(chooseModel(settings(['openai', 'custom'], { overrides }), 'gpt_4o')).toEqual(overrides.gpt_4o);
  });

  it('fails with the variables to set when another provider is configured', () => {
    const choose = (): unknown => chooseModel(settings(['google']), 'gpt_4_1_mini');
    expect(choose).toThrow(ModelNotConfigured);
    expect(choose).toThrow(
      'The model gpt_4_1_mini has no configured provider. Set OPENAI_API_KEY or OPENROUTER_API_KEY, or lead the name to another model with QUARRY_MODEL_GPT_4_1_MINI.',
    );
  });

  it('is, where none is asked for, the default, then the custom model, then the first of the table', () => {
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
