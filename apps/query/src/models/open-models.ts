import type { ModelName } from '@quarry/contracts';
import type { Log } from '@quarry/service-kit';
import type { ChatModel } from './chat-model.js';
import { listNothing, withSupportedSettings, type ListUnsupportedSettings } from './supported-settings.js';
import { createProviderModel, type OpenResponse } from './provider-model.js';
import { connectOpenAiCompatible } from './openai-response.js';
import { chooseModel } from './choose-model.js';
import type { ModelSettings, ProvidedModel, ProviderName, ProviderSettings } from './model-settings.js';
import { withTextTimeouts } from './text-timeouts.js';
import { withRetries } from './retries.js';

/** Provides the configured models. */
export interface Models {
  /**
   * Returns the model for a public model name.
   *
   * @param name undefined for the default model
   * @returns undefined if no provider is configured
   * @throws ModelNotConfigured
   */
  choose(name: ModelName | undefined): ChatModel | undefined;
}

/** Holds the functions that depend on the provider of a model. */
interface Provider {
  readonly open: (model: string) => OpenResponse;
  readonly listUnsupported: ListUnsupportedSettings;
}

/**
 * Opens the models of configured providers. Imports only the client libraries of these providers, because each library
 * costs memory and start-up time.
 */
export async function openModels(settings: ModelSettings, log: Log): Promise<Models> {
  const providers = new Map<ProviderName, Provider>();
  const opened = new Map<string, ChatModel>();
  await Promise.all(
    Object.entries(settings.providers).map(async ([name, provider]) => {
      // `providers` has these keys only; Object.entries widens them to string.
      const providerName = name as ProviderName;
      providers.set(providerName, await loadProvider(providerName, provider));
    }),
  );
  return {
    choose: (name) => {
      const chosen = chooseModel(settings, name);
      if (chosen === undefined) return undefined;
      const provider = providers.get(chosen.provider);
      if (provider === undefined)
        throw new Error(`expected the client of the provider ${chosen.provider} to be loaded, found none`);
      const fullName = `${chosen.provider}/${chosen.model}`;
      const model = opened.get(fullName) ?? openModel(chosen, provider, { settings, log });
      opened.set(fullName, model);
      return model;
    },
  };
}

function openModel(
  { provider, model }: ProvidedModel,
  { open, listUnsupported }: Provider,
  { settings, log }: { readonly settings: ModelSettings; readonly log: Log },
): ChatModel {
  const apiKey = settings.providers[provider]?.apiKey;
  const limited = withTextTimeouts(createProviderModel(`${provider}/${model}`, open(model), apiKey), settings.limits);
  return withRetries(withSupportedSettings(limited, listUnsupported, log), settings.limits);
}

async function loadProvider(name: ProviderName, settings: ProviderSettings): Promise<Provider> {
  switch (name) {
    case 'anthropic': {
      const { openAnthropic, listUnsupportedByAnthropic } = await import('./langchain-clients.js');
      return { open: (model) => openAnthropic(settings, model), listUnsupported: listUnsupportedByAnthropic };
    }
    case 'google': {
      const { openGoogle } = await import('./langchain-clients.js');
      return { open: (model) => openGoogle(settings, model), listUnsupported: listNothing };
    }
    case 'openai':
    case 'openrouter':
    case 'deepseek':
    case 'custom':
      return { open: connectOpenAiCompatible(settings), listUnsupported: listNothing };
  }
}
