import { ChatOpenAI } from '@langchain/openai';
import type { OpenClient } from '../langchain-model.js';
import type { ProviderSettings } from '../model-settings.js';

/** OpenAI itself, OpenRouter, DeepSeek, Ollama, vLLM and whatever else speaks OpenAI's chat completions. */
export function openAiCompatible({ baseUrl, apiKey }: ProviderSettings, model: string): OpenClient {
  return (settings) =>
    new ChatOpenAI({
      model,
      // The client does not start without a key; servers that want none take any.
      apiKey: apiKey ?? 'none',
      ...settings,
      // Calling again is decided by us.
      maxRetries: 0,
      // Other servers know this protocol only.
      useResponsesApi: false,
      // Given, so that the client takes neither from variables of the environment that were meant for another address.
      configuration: { baseURL: baseUrl, organization: null, project: null },
    });
}
