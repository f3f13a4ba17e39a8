import { IsArray, IsIn, IsInt, IsOptional, IsString, OrNull, Type, ValidateNested } from '@quarry/validation';
import { MODEL_NAMES, type ModelName } from '../http/agent-query.js';
import { MODEL_PROVIDERS, type ModelProvider } from '../http/model-connections.js';

/** Paths at which the query service lists and tests models. */
export const MODEL_PATHS = { list: '/internal/models/list', test: '/internal/models/test' } as const;

/** Describes a stored connection to a model provider, with its API key. The gateway sends it with each question. */
export class ConnectedProvider {
  @IsIn(MODEL_PROVIDERS)
  readonly provider: ModelProvider;

  /** API key of the provider. Absent: the server needs no key. */
  @IsOptional()
  @IsString()
  readonly apiKey?: string;

  /** The address and the model of the provider `custom`. Absent for other providers. */
  @IsOptional()
  @IsString()
  readonly baseUrl?: string;

  @IsOptional()
  @IsString()
  readonly model?: string;
}

/** Describes the body of `POST /internal/models/list` of the query service. The response is a `ModelListResponse`. */
export class ModelListRequest {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ConnectedProvider)
  readonly connections: readonly ConnectedProvider[];
}

/**
 * Describes a provider that is configured, by environment variables or by a model connection that the request contains.
 * Contains no key.
 */
export class ConfiguredProvider {
  @IsIn(MODEL_PROVIDERS)
  readonly provider: ModelProvider;

  @IsIn(['environment', 'api'])
  readonly source: 'environment' | 'api';

  @IsString()
  readonly baseUrl: string;

  @OrNull()
  @IsString()
  readonly model: string | null;
}

export class ModelListResponse {
  @OrNull()
  @IsString()
  readonly defaultModel: string | null;

  /** The names of models whose provider is configured. */
  @IsArray()
  @IsIn(MODEL_NAMES, { each: true })
  readonly models: readonly ModelName[];

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ConfiguredProvider)
  readonly providers: readonly ConfiguredProvider[];
}

/** Describes the body of `POST /internal/models/test` of the query service. The response is a `ModelTestResponse`. */
export class ModelTestRequest {
  @ValidateNested()
  @Type(() => ConnectedProvider)
  readonly connection: ConnectedProvider;
}

/** Describes the outcome of a test. Contains no text of the provider, because that text may contain the key. */
export class ModelTestResponse {
  /** The provider and the model that were called. */
  @IsString()
  readonly model: string;

  @IsInt()
  readonly durationMs: number;

  /** The code of the reason why the test failed. Null: the model responded. */
  @OrNull()
  @IsString()
  readonly failure: string | null;

  /** The HTTP status of an error response of the provider. Null: there was no response, or the model responded. */
  @OrNull()
  @IsInt()
  readonly status: number | null;

  /** The code of a network error, such as `ECONNREFUSED`. Null: there was none. */
  @OrNull()
  @IsString()
  readonly networkError: string | null;
}
