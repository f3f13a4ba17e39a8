import { ChatAnthropic } from '@langchain/anthropic';
import { ChatGoogle } from '@langchain/google';
import { sendWithLangchain } from './langchain-response.js';
import type { OpenResponse } from './provider-model.js';
import type { ProviderSettings } from './model-settings.js';
import type { ChatSettings } from './chat-model.js';
import type { ChatSetting } from './supported-settings.js';

export function openAnthropic({ baseUrl, apiKey }: ProviderSettings, model: string): OpenResponse {
  return sendWithLangchain(
    (settings) =>
      new ChatAnthropic({
        model,
        ...(apiKey === undefined ? {} : { apiKey }),
        anthropicApiUrl: baseUrl,
        ...settings,
        // The client makes no retries, because `withRetries` makes them.
        maxRetries: 0,
      }),
  );
}

/** Lists the settings that Anthropic does not support: penalties, and topP together with temperature on newer models. */
export function listUnsupportedByAnthropic({ temperature, topP }: ChatSettings): readonly ChatSetting[] {
  const both = temperature !== undefined && topP !== undefined;
  return ['presencePenalty', 'frequencyPenalty', ...(both ? (['topP'] as const) : [])];
}

export function openGoogle({ baseUrl, apiKey }: ProviderSettings, model: string): OpenResponse {
  return sendWithLangchain(
    ({ maxTokens, ...settings }) =>
      new ChatGoogle({
        model,
        platformType: 'gai',
        endpoint: baseUrl,
        ...(apiKey === undefined ? {} : { apiKey }),
        ...settings,
        ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
        maxRetries: 0,
      }),
  );
}
