import { ChatOpenAI } from '@langchain/openai';
import type { OpenClient } from '../langchain-model.js';
import type { ProviderSettings } from '../model-settings.js';

/**
 * Returns a client for any server with OpenAI's chat completions API, such as OpenAI, OpenRouter, DeepSeek, Ollama and vLLM.
 */
export function openOpenAiCompatible({ baseUrl, apiKey }: ProviderSettings, model: string): OpenClient {
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
      configuration: { baseURL: baseUrl, organization: null, project: null },
    });
}
