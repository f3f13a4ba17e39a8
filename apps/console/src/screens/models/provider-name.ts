import type { ModelProvider } from '@quarry/client';
import type { ModelsMessages } from './messages.js';

/** Returns the display name of a provider. */
export function getProviderName(provider: ModelProvider, { custom }: ModelsMessages): string {
  const names: Readonly<Record<ModelProvider, string>> = {
    openai: 'OpenAI',
    anthropic: 'Anthropic',
    google: 'Google',
    openrouter: 'OpenRouter',
    deepseek: 'DeepSeek',
    custom,
  };
  return names[provider];
}
