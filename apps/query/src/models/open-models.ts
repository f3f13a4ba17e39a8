import type { ModelName } from '@quarry/contracts';
import type { Log } from '@quarry/service-kit';
import type { ChatModel } from './chat-model.js';
import { lacksNothing, withKnownSettings, type LackedSettings } from './known-settings.js';
import { langchainModel, type OpenClient } from './langchain-model.js';
import { chooseModel } from './model-choice.js';
import type { ModelSettings, ProviderName, ProviderSettings } from './model-settings.js';
import { withTextTimeouts } from './text-timeouts.js';
import { withRetries } from './retries.js';

export interface Models {
  /**
   * @param name undefined: the default model
   * @returns undefined when no provider is configured at all
   * @throws ModelNotConfigured
   */
  choose(name: ModelName | undefined): ChatModel | undefined;
}

/** How a provider is talked to. */
interface Provider {
  readonly open: (model: string) => OpenClient;
  readonly lacks: LackedSettings;
}

/** Loads the clients of the configured providers, and no others: each costs memory and time to load. */
export async function openModels(settings: ModelSettings, log: Log): Promise<Models> {
  const providers = new Map<ProviderName, Provider>();
  const opened = new Map<string, ChatModel>();
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
      const provider = providers.get(chosen.provider);
      if (provider === undefined) throw new Error(`the provider ${chosen.provider} was chosen and is not loaded`);
      const fullName = `${chosen.provider}/${chosen.model}`;
      const model = opened.get(fullName) ?? openModel(fullName, chosen.model, provider, { settings, log });
      opened.set(fullName, model);
      return model;
    },
  };
}

function openModel(
  fullName: string,
  model: string,
  { open, lacks }: Provider,
  { settings, log }: { readonly settings: ModelSettings; readonly log: Log },
): ChatModel {
  const limited = withTextTimeouts(langchainModel(fullName, open(model)), settings.limits);
  return withRetries(withKnownSettings(limited, lacks, log), settings.limits);
}

async function load(name: ProviderName, settings: ProviderSettings): Promise<Provider> {
  switch (name) {
    case 'anthropic': {
      const { anthropic, anthropicLacks } = await import('./providers/anthropic.js');
      return { open: (model) => anthropic(settings, model), lacks: anthropicLacks };
    }
    case 'google': {
      const { google } = await import('./providers/google.js');
      return { open: (model) => google(settings, model), lacks: lacksNothing };
    }
    case 'openai':
    case 'openrouter':
    case 'deepseek':
    case 'custom': {
      const { openAiCompatible } = await import('./providers/openai-compatible.js');
      return { open: (model) => openAiCompatible(settings, model), lacks: lacksNothing };
    }
  }
}
