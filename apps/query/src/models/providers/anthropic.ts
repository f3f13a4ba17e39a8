import { ChatAnthropic } from '@langchain/anthropic';
import type { ChatSettings } from '../chat-model.js';
import type { ChatSetting } from '../supported-settings.js';
import type { OpenClient } from '../langchain-model.js';
import type { ProviderSettings } from '../model-settings.js';

export function openAnthropic({ baseUrl, apiKey }: ProviderSettings, model: string): OpenClient {
  return (settings) =>
    new ChatAnthropic({
      model,
      ...(apiKey === undefined ? {} : { apiKey }),
      anthropicApiUrl: baseUrl,
      ...settings,
      maxRetries: 0,
    });
}

/** Lists the settings that Anthropic does not support: penalties, and topP together with temperature on newer models. */
export function listUnsupportedByAnthropic({ temperature, topP }: ChatSettings): readonly ChatSetting[] {
  const both = temperature !== undefined && topP !== undefined;
  return ['presencePenalty', 'frequencyPenalty', ...(both ? (['topP'] as const) : [])];
}
