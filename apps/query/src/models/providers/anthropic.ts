import { ChatAnthropic } from '@langchain/anthropic';
import type { ChatSettings } from '../chat-model.js';
import type { ChatSetting } from '../known-settings.js';
import type { OpenClient } from '../langchain-model.js';
import type { ProviderSettings } from '../model-settings.js';

export function anthropic({ baseUrl, apiKey }: ProviderSettings, model: string): OpenClient {
  return (settings) =>
    new ChatAnthropic({
      model,
      ...(apiKey === undefined ? {} : { apiKey }),
      anthropicApiUrl: baseUrl,
      ...settings,
      maxRetries: 0,
    });
}

/** Anthropic has no penalties, and its newer models refuse temperature and topP together. */
export function anthropicLacks({ temperature, topP }: ChatSettings): readonly ChatSetting[] {
  const both = temperature !== undefined && topP !== undefined;
  return ['presencePenalty', 'frequencyPenalty', ...(both ? (['topP'] as const) : [])];
}
