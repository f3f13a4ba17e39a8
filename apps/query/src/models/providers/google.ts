import { ChatGoogle } from '@langchain/google';
import type { OpenClient } from '../langchain-model.js';
import type { ProviderSettings } from '../model-settings.js';

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
