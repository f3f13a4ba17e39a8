import { embeddingSources, EmbeddingVariables, type EmbeddingSources } from '@quarry/embedders';
import { parseEnvironment } from '@quarry/service-kit';
import { IntegerFromText, NumberFromText } from '@quarry/validation';
import { modelSettingsFrom } from './models/model-environment.js';
import type { ModelSettings } from './models/model-settings.js';

/** How a query service behaves, wherever it runs. */
export interface QuerySettings {
  readonly models: ModelSettings;
  /** Undefined: all datastores are searched by words alone. */
  readonly embedding: EmbeddingSources | undefined;
  readonly denseWeight: number;
  readonly promptTokens: number;
}

/** The variables that have defaults, beside those of the model providers. */
class Environment extends EmbeddingVariables {
  /** The say of dense search beside lexical search: 0 is words alone, 1 is meaning alone. */
  @NumberFromText({ min: 0, max: 1 })
  readonly QUARRY_DENSE_WEIGHT: number = 0.6;

  /** About how many tokens a prompt may have, with instructions, knowledge, history and question. */
  @IntegerFromText({ min: 1_000, max: 1_000_000 })
  readonly QUARRY_PROMPT_TOKENS: number = 12_000;
}

/** @throws ConfigurationError with the problems */
export function readQuerySettings(environment: NodeJS.ProcessEnv): QuerySettings {
  const variables = parseEnvironment(Environment, environment);
  return {
    models: modelSettingsFrom(environment),
    embedding: embeddingSources(variables),
    denseWeight: variables.QUARRY_DENSE_WEIGHT,
    promptTokens: variables.QUARRY_PROMPT_TOKENS,
  };
}
