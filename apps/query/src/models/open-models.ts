import type { ModelName } from '@quarry/contracts';
import type { ChatModel } from './chat-model.js';
import { langchainModel, type OpenClient } from './langchain-model.js';
import { chooseModel } from './model-choice.js';
import type { ModelSettings, ProviderName, ProviderSettings } from './model-settings.js';
import { withPatience } from './patience.js';
import { withRetries } from './retries.js';

export interface Models {
  /**
   * @param name undefined: the default model
   * @returns undefined when no provider is configured at all
   * @throws ModelNotConfigured
   */
  choose(name: ModelName | undefined): ChatModel | undefined;
}

type Provide = (model: string) => OpenClient;

/** Loads the clients of the configured providers, and no others: each costs memory and time to load. */
export async function openModels(settings: ModelSettings): Promise<Models> {
  const providers = new Map<ProviderName, Provide>();
  await Promise.all(
    Object.entries(settings.providers).map(async ([name, provider]) => {
      // The keys of `providers` are these names, which Object.entries widens to string.
      const providerName = name as ProviderName;
      providers.set(providerName, await load(providerName, provider));
    }),
  );
  return {
    choose: (name) => {
      const chosen = chooseModel(settings, name);
      if (chosen === undefined) return undefined;
      const provide = providers.get(chosen.provider);
      if (provide === undefined) throw new Error(`the provider ${chosen.provider} was chosen and is not loaded`);
      const model = langchainModel(`${chosen.provider}/${chosen.model}`, provide(chosen.model));
      return withRetries(withPatience(model, settings.limits), settings.limits);
    },
  };
}

async function load(name: ProviderName, settings: ProviderSettings): Promise<Provide> {
  switch (name) {
    case 'anthropic': {
      const { anthropic } = await import('./providers/anthropic.js');
      return (model) => anthropic(settings, model);
    }
    case 'google': {
      const { google } = await import('./providers/google.js');
      return (model) => google(settings, model);
    }
    case 'openai':
    case 'openrouter':
    case 'deepseek':
    case 'custom': {
      const { openAiCompatible } = await import('./providers/openai-compatible.js');
      return (model) => openAiCompatible(settings, model);
    }
  }
}
