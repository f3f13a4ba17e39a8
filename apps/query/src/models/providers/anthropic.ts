import { ChatAnthropic } from '@langchain/anthropic';
import type { ChatSettings } from '../chat-model.js';
import type { OpenClient } from '../langchain-model.js';
import type { ProviderSettings } from '../model-settings.js';

export function anthropic({ baseUrl, apiKey }: ProviderSettings, model: string): OpenClient {
  return (settings) =>
    new ChatAnthropic({
      model,
      ...(apiKey === undefined ? {} : { apiKey }),
      anthropicApiUrl: baseUrl,
      ...known(settings),
      maxRetries: 0,
    });
}

/** Anthropic has no penalties, and its newer models refuse temperature and topP together. */
function known({ temperature, topP, maxTokens }: ChatSettings): ChatSettings {
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined || temperature !== undefined ? {} : { topP }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}
