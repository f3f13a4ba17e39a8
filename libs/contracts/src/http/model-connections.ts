import {
  Describe,
  IsArray,
  IsIn,
  IsInt,
  IsISO8601,
  IsNotEmpty,
  IsOptional,
  IsString,
  MaxLength,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';

/** Lists the providers of language models. `custom` is any server with OpenAI's chat completions API. */
export const MODEL_PROVIDERS = ['openai', 'openrouter', 'anthropic', 'google', 'deepseek', 'custom'] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

const MAX_ADDRESS_LENGTH = 2_048;
const MAX_MODEL_LENGTH = 200;

/**
 * Describes the connection to a provider that an operator stores or tests. No decorator checks the form of the key and
 * of the address, because the message of a decorator would quote the key. The gateway checks both.
 */
export class ModelConnectionRequest {
  @Describe(
    'The API key of the provider. Absent: the stored key is kept, if the address is unchanged. Null: the server needs no key (`custom` only). The key is never returned.',
  )
  @IsOptional()
  @IsString()
  readonly apiKey?: string | null;

  @Describe('The base URL of the server, including `/v1`. Required for `custom`, and refused for other providers.')
  @IsOptional()
  @IsString()
  @MaxLength(MAX_ADDRESS_LENGTH)
  readonly baseUrl?: string;

  @Describe('The name of the model on the server. Required for `custom`, and refused for other providers.')
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_MODEL_LENGTH)
  readonly model?: string;
}

const CONNECTION_SOURCES = ['environment', 'api'] as const;

@Describe('The connection to a provider of language models, without its key.')
export class ModelConnectionResponse {
  @IsIn(MODEL_PROVIDERS)
  readonly provider: ModelProvider;

  @IsIn(CONNECTION_SOURCES)
  @Describe('`environment`: variables of the query service set it, and the API cannot change it. `api`: it is stored.')
  readonly source: (typeof CONNECTION_SOURCES)[number];

  @IsString()
  @Describe('The base URL of the provider.')
  readonly baseUrl: string;

  @OrNull()
  @IsString()
  @Describe('The model of the provider `custom`. Null for other providers: agents and requests select the model.')
  readonly model: string | null;

  @OrNull()
  @IsString()
  @Describe(
    'The last characters of the stored key. Null: there is no key, the key is too short to show a part of it, or the environment sets the key.',
  )
  readonly keyHint: string | null;

  @OrNull()
  @IsISO8601({ strict: true })
  @Describe('When the connection was stored. Null for connections of the environment.')
  readonly updatedAt: string | null;
}

@Describe('The connections to providers of language models.')
export class ModelConnectionsResponse {
  @OrNull()
  @IsString()
  @Describe(
    'The model for requests that name none, such as `openai/gpt-4o-mini`. Null: answers consist of sentences of the sources.',
  )
  readonly defaultModel: string | null;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => ModelConnectionResponse)
  readonly connections: readonly ModelConnectionResponse[];
}

@Describe('The outcome of a successful test of a connection.')
export class ModelConnectionTestResponse {
  @IsString()
  @Describe('The provider and the model that responded.')
  readonly model: string;

  @IsInt()
  @Describe('Time to the first text, in milliseconds.')
  readonly durationMs: number;
}

const LOCAL_MODELS_STATUSES = ['found', 'not_found', 'not_supported'] as const;

@Describe('The Ollama on the machine of a one-machine installation.')
export class LocalModelsResponse {
  @IsIn(LOCAL_MODELS_STATUSES)
  @Describe('`not_supported`: the services run on several machines, so there is no machine to search.')
  readonly status: (typeof LOCAL_MODELS_STATUSES)[number];

  @OrNull()
  @IsString()
  @Describe('The `baseUrl` for a connection to it. Null unless `status` is `found`.')
  readonly baseUrl: string | null;

  @IsArray()
  @IsString({ each: true })
  @Describe('The names of the installed models, in the order of Ollama.')
  readonly models: readonly string[];
}
