import type { EmbeddingAddress } from '@quarry/embedder-langchain';
import { parseEnvironment } from '@quarry/service-kit';
import { IntegerFromText, IsOptional, IsString, IsUrl, NumberFromText } from '@quarry/validation';
import { modelSettingsFrom } from './models/model-environment.js';
import type { ModelSettings } from './models/model-settings.js';

/** How a query service behaves, wherever it runs. */
export interface QuerySettings {
  readonly models: ModelSettings;
  /** Undefined: all datastores are searched by words alone. */
  readonly embedding: EmbeddingAddress | undefined;
  readonly denseWeight: number;
  readonly promptTokens: number;
}

/** The variables that have defaults, beside those of the model providers. */
class Environment {
  /** The OpenAI-compatible address that embeds queries, up to and with `/v1`: the one that embedded the fragments. */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['http', 'https'], require_protocol: true })
  readonly QUARRY_EMBEDDING_BASE_URL?: string;

  @IsOptional()
  @IsString()
  readonly QUARRY_EMBEDDING_API_KEY?: string;

  @IsOptional()
  @IsString()
  readonly QUARRY_EMBEDDING_QUERY_PREFIX?: string;

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
  const baseUrl = variables.QUARRY_EMBEDDING_BASE_URL;
  const apiKey = variables.QUARRY_EMBEDDING_API_KEY;
  const queryPrefix = variables.QUARRY_EMBEDDING_QUERY_PREFIX;
  return {
    models: modelSettingsFrom(environment),
    embedding:
      baseUrl === undefined
        ? undefined
        : {
            baseUrl,
            ...(apiKey === undefined ? {} : { apiKey }),
            ...(queryPrefix === undefined ? {} : { queryPrefix }),
          },
    denseWeight: variables.QUARRY_DENSE_WEIGHT,
    promptTokens: variables.QUARRY_PROMPT_TOKENS,
  };
}
