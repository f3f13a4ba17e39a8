import { MODEL_NAMES, type ModelName } from '@quarry/contracts';
import type { ModelSettings, ProvidedModel } from './model-settings.js';
import { MODEL_TABLE, overrideVariable, PROVIDER_VARIABLES } from './model-table.js';

/** A model is asked for by name, and no provider that has it is configured. The message names the variables that would. */
export class ModelNotConfigured extends Error {
  constructor(name: ModelName) {
    const variables = MODEL_TABLE[name].map(({ provider }) => PROVIDER_VARIABLES[provider]).join(' or ');
    super(
      `The model ${name} has no configured provider. Set ${variables}, or lead the name to another model with ${overrideVariable(name)}.`,
    );
    this.name = 'ModelNotConfigured';
  }
}

/**
 * Which model answers.
 *
 * @param name as asked for; undefined: the default, which is `defaultModel` if its provider is configured, else the custom
 *   model, else the first of the table that is configured
 * @returns undefined when no provider is configured at all: sentences of the sources answer, whatever was asked for
 * @throws ModelNotConfigured
 */
export function chooseModel(settings: ModelSettings, name: ModelName | undefined): ProvidedModel | undefined {
  if (Object.keys(settings.providers).length === 0) return undefined;
  if (name === undefined) return defaultModel(settings);
  const model = configured(settings, name);
  if (model === undefined) throw new ModelNotConfigured(name);
  return model;
}

function defaultModel(settings: ModelSettings): ProvidedModel | undefined {
  const { defaultModel: named, customModel } = settings;
  const wanted = named === undefined ? undefined : configured(settings, named);
  if (wanted !== undefined) return wanted;
  if (customModel !== undefined) return { provider: 'custom', model: customModel };
  return MODEL_NAMES.map((name) => configured(settings, name)).find((model) => model !== undefined);
}

function configured(settings: ModelSettings, name: ModelName): ProvidedModel | undefined {
  return (
    settings.overrides[name] ?? MODEL_TABLE[name].find(({ provider }) => settings.providers[provider] !== undefined)
  );
}
