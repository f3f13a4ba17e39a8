import { MODEL_NAMES, type ModelName } from '@quarry/contracts';
import type { ModelSettings, ProvidedModel } from './model-settings.js';
import { MODEL_TABLE, getOverrideVariable, PROVIDER_VARIABLES } from './model-table.js';

/**
 * Reports that no provider of the requested model is configured. The message names the providers to connect and the
 * variables to set.
 */
export class ModelNotConfigured extends Error {
  constructor(name: ModelName) {
    const providers = MODEL_TABLE[name].map(({ provider }) => provider);
    const variables = providers.map((provider) => PROVIDER_VARIABLES[provider]).join(' or ');
    super(
      `The model ${name} has no configured provider. Connect ${providers.join(' or ')} with PUT /model-connections/{provider}, set ${variables}, or map the name to another model with ${getOverrideVariable(name)}.`,
    );
    this.name = 'ModelNotConfigured';
  }
}

/**
 * Selects the model for an answer.
 *
 * @param name undefined: `defaultModel` if its provider is configured, otherwise the custom model, otherwise the first
 * configured model of `MODEL_TABLE`
 * @returns undefined if no provider is configured: then answers consist of sentences of the sources
 * @throws ModelNotConfigured
 */
export function chooseModel(settings: ModelSettings, name: ModelName | undefined): ProvidedModel | undefined {
  if (Object.keys(settings.providers).length === 0) return undefined;
  if (name === undefined) return getDefaultModel(settings);
  const model = findConfiguredModel(settings, name);
  if (model === undefined) throw new ModelNotConfigured(name);
  return model;
}

/** Lists the public model names for which `chooseModel` returns a model. */
export function listConfiguredModels(settings: ModelSettings): readonly ModelName[] {
  return MODEL_NAMES.filter((name) => findConfiguredModel(settings, name) !== undefined);
}

function getDefaultModel(settings: ModelSettings): ProvidedModel | undefined {
  const { defaultModel: named, customModel } = settings;
  const wanted = named === undefined ? undefined : findConfiguredModel(settings, named);
  if (wanted !== undefined) return wanted;
  if (customModel !== undefined) return { provider: 'custom', model: customModel };
  return MODEL_NAMES.map((name) => findConfiguredModel(settings, name)).find((model) => model !== undefined);
}

function findConfiguredModel(settings: ModelSettings, name: ModelName): ProvidedModel | undefined {
  return (
    settings.overrides[name] ?? MODEL_TABLE[name].find(({ provider }) => settings.providers[provider] !== undefined)
  );
}
