import { ChatAnthropic } from '@langchain/anthropic';
import { ChatGoogle } from '@langchain/google';
import { sendWithLangchain } from './langchain-response.js';
import type { OpenResponse } from './provider-model.js';
import type { ProviderSettings } from './model-settings.js';
import type { ChatSettings } from './chat-model.js';
import { fetchWithLimits } from './response-limits.js';
import type { ChatSetting } from './supported-settings.js';

/** Sends the HTTP requests of LangChain's model for Google. LangChain does not export this type. */
type GoogleClient = NonNullable<NonNullable<ConstructorParameters<typeof ChatGoogle>[0]>['apiClient']>;

/** Returns a function that sends calls to a model of Anthropic. */
export function openAnthropic({ baseUrl, apiKey }: ProviderSettings, model: string): OpenResponse {
  return sendWithLangchain(
    (settings) =>
      new ChatAnthropic({
        model,
        ...(apiKey === undefined ? {} : { apiKey }),
        anthropicApiUrl: baseUrl,
        clientOptions: { fetch: fetchWithLimits },
        ...settings,
        // The client makes no retries, because `withRetries` makes them.
        maxRetries: 0,
      }),
    { isUsageCumulative: true },
  );
}

/**
 * Lists the settings that Anthropic does not support: penalties, and `topP` together with `temperature` on newer
 * models.
 */
export function listUnsupportedByAnthropic({ temperature, topP }: ChatSettings): readonly ChatSetting[] {
  const both = temperature !== undefined && topP !== undefined;
  return ['presencePenalty', 'frequencyPenalty', ...(both ? (['topP'] as const) : [])];
}

/** Returns a function that sends calls to a model of Google. */
export function openGoogle({ baseUrl, apiKey }: ProviderSettings, model: string): OpenResponse {
  return sendWithLangchain(
    ({ maxTokens, ...settings }) =>
      new ChatGoogle({
        model,
        platformType: 'gai',
        endpoint: baseUrl,
        apiClient: createGoogleClient(apiKey),
        ...settings,
        ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
        maxRetries: 0,
      }),
  );
}

/** Creates the client that sends the requests of LangChain's model to Google, and limits the size of the responses. */
function createGoogleClient(apiKey: string | undefined): GoogleClient {
  return {
    fetch: async (request) => {
      if (apiKey !== undefined) request.headers.set('X-Goog-Api-Key', apiKey);
      return fetchWithLimits(request);
    },
    hasApiKey: () => apiKey !== undefined,
    // The client needs no project id, because only Vertex AI has projects.
    getProjectId: async () => Promise.resolve(''),
  };
}
