import type { ModelName } from '@quarry/contracts';
import type { ProvidedModel, ProviderName } from './model-settings.js';

/** Maps each public model name to its providers: first the model's own provider, then OpenRouter, which offers all of them. */
export const MODEL_TABLE: Readonly<Record<ModelName, readonly [ProvidedModel, ProvidedModel]>> = {
  gpt_4o_mini: [getOpenAiModel('gpt-4o-mini'), getOpenRouterModel('openai/gpt-4o-mini')],
  gpt_4o: [getOpenAiModel('gpt-4o'), getOpenRouterModel('openai/gpt-4o')],
  gpt_4_1_mini: [getOpenAiModel('gpt-4.1-mini'), getOpenRouterModel('openai/gpt-4.1-mini')],
  gpt_4_1: [getOpenAiModel('gpt-4.1'), getOpenRouterModel('openai/gpt-4.1')],
  claude_sonnet_4: [
    { provider: 'anthropic', model: 'claude-sonnet-4-20250514' },
    getOpenRouterModel('anthropic/claude-sonnet-4'),
  ],
  gemini_flash_2: [
    { provider: 'google', model: 'gemini-2.0-flash' },
    getOpenRouterModel('google/gemini-2.0-flash-001'),
  ],
  gemini_flash_2_lite: [
    { provider: 'google', model: 'gemini-2.0-flash-lite' },
    getOpenRouterModel('google/gemini-2.0-flash-lite-001'),
  ],
  deepseek_v3: [{ provider: 'deepseek', model: 'deepseek-chat' }, getOpenRouterModel('deepseek/deepseek-chat')],
};

/** Maps each provider to the environment variable that configures it. */
export const PROVIDER_VARIABLES: Readonly<Record<ProviderName, string>> = {
  openai: 'OPENAI_API_KEY',
  openrouter: 'OPENROUTER_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  google: 'GOOGLE_API_KEY',
  deepseek: 'DEEPSEEK_API_KEY',
  custom: 'QUARRY_MODEL_BASE_URL',
};

/** Returns the environment variable that maps a public model name to another model. */
export function getOverrideVariable(name: ModelName): string {
  return `QUARRY_MODEL_${name.toUpperCase()}`;
}

function getOpenAiModel(model: string): ProvidedModel {
  return { provider: 'openai', model };
}

function getOpenRouterModel(model: string): ProvidedModel {
  return { provider: 'openrouter', model };
}
