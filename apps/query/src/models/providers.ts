import { ChatOpenAI } from '@langchain/openai';
import { ChatAnthropic } from '@langchain/anthropic';
import { ChatGoogle } from '@langchain/google';
import type { OpenClient } from './langchain-model.js';
import type { ProviderSettings } from './model-settings.js';
import type { ChatSettings } from './chat-model.js';
import type { ChatSetting } from './supported-settings.js';

/**
 * Returns a client for any server with OpenAI's chat completions API, such as OpenAI, OpenRouter, DeepSeek, Ollama and vLLM.
 */
export function openOpenAiCompatible(provider: ProviderSettings, model: string): OpenClient {
  const { baseUrl, apiKey, refusesRedirects } = provider;
  return (settings) =>
    new ChatOpenAI({
      model,
      // The client requires a key. Servers without authentication ignore it.
      apiKey: apiKey ?? 'none',
      ...settings,
      // The client makes no retries, because `withRetries` makes them.
      maxRetries: 0,
      // Compatible servers support only the chat completions API.
      useResponsesApi: false,
      // Set explicitly, so that the client does not read them from environment variables that are meant for OpenAI.
      configuration: {
        ...{ baseURL: baseUrl, organization: null, project: null },
        ...(refusesRedirects === true ? { fetchOptions: { redirect: 'error' } } : {}),
      },
    });
}

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

export function openGoogle({ baseUrl, apiKey }: ProviderSettings, model: string): OpenClient {
  return ({ maxTokens, ...settings }) =>
    new ChatGoogle({
      model,
      platformType: 'gai',
      endpoint: baseUrl,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...settings,
      ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
      maxRetries: 0,
    });
}
