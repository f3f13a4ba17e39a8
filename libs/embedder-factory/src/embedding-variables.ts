import { BooleanFromText, IsIn, IsNotEmpty, IsOptional, IsString, IsUrl, Matches } from '@quarry/validation';
import { LIMITS_BY_MODEL, parseLimitsByModel } from './limits-by-model.js';
import type { EmbeddingSources } from './create-embedder-opener.js';

/**
 * Declares the variables that select the service or folder whose models embed texts. All services that embed questions
 * or documents use the same values.
 */
export class EmbeddingVariables {
  /**
   * Protocol of the service at `QUARRY_EMBEDDING_BASE_URL`: `openai` for an OpenAI-compatible API, `google` for the
   * Gemini API.
   */
  @IsIn(['openai', 'google'])
  readonly QUARRY_EMBEDDING_PROVIDER: 'openai' | 'google' = 'openai';

  /**
   * Address of the service that embeds texts: an OpenAI-compatible address that ends with `/v1`, or a replacement of
   * Google's address. Absent: Google's address for `google`; for `openai`, no service is used.
   */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['http', 'https'], require_protocol: true })
  readonly QUARRY_EMBEDDING_BASE_URL?: string;

  @IsOptional()
  @IsString()
  readonly QUARRY_EMBEDDING_API_KEY?: string;

  /** A folder with one ONNX model per subfolder. The service runs these models itself. */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_EMBEDDING_FOLDER?: string;

  /**
   * If true and no address is configured, models that are not in `QUARRY_EMBEDDING_FOLDER` are downloaded from the
   * Hugging Face hub.
   */
  @BooleanFromText()
  readonly QUARRY_EMBEDDING_DOWNLOAD: boolean = false;

  /** Method by which a local model combines the vectors of a text's tokens. It must match the training of the model. */
  @IsIn(['mean', 'cls'])
  readonly QUARRY_EMBEDDING_POOLING: 'mean' | 'cls' = 'mean';

  /** A prefix that is added to passages, for models that were trained with such a prefix, for example `passage: `. */
  @IsOptional()
  @IsString()
  readonly QUARRY_EMBEDDING_DOCUMENT_PREFIX?: string;

  /** A prefix that is added to questions, such as `query: `. */
  @IsOptional()
  @IsString()
  readonly QUARRY_EMBEDDING_QUERY_PREFIX?: string;

  /** Maximum number of texts per request: one number for all models, or `model=number`, separated by commas. */
  @IsOptional()
  @Matches(LIMITS_BY_MODEL)
  readonly QUARRY_EMBEDDING_BATCH_SIZE?: string;

  /**
   * Maximum length of a text in characters: one number for all models, or `model=number`, separated by commas. Longer
   * texts are truncated. Without a limit, only texts that the provider rejects are truncated.
   */
  @IsOptional()
  @Matches(LIMITS_BY_MODEL)
  readonly QUARRY_EMBEDDING_MAX_TEXT_LENGTH?: string;
}

/** Returns the configured sources, or undefined when neither an address nor a folder is configured. */
export function readEmbeddingSources(variables: EmbeddingVariables): EmbeddingSources | undefined {
  const { QUARRY_EMBEDDING_BASE_URL: baseUrl, QUARRY_EMBEDDING_API_KEY: apiKey } = variables;
  const folder = variables.QUARRY_EMBEDDING_FOLDER;
  const provider = variables.QUARRY_EMBEDDING_PROVIDER;
  const hasAddress = baseUrl !== undefined || provider === 'google';
  if (!hasAddress && folder === undefined) return undefined;
  const documentPrefix = variables.QUARRY_EMBEDDING_DOCUMENT_PREFIX;
  const queryPrefix = variables.QUARRY_EMBEDDING_QUERY_PREFIX;
  const pooling = variables.QUARRY_EMBEDDING_POOLING;
  const batchSize = variables.QUARRY_EMBEDDING_BATCH_SIZE;
  const maxLength = variables.QUARRY_EMBEDDING_MAX_TEXT_LENGTH;
  // With an address, a model that is not in the folder is requested from the address and not downloaded.
  const download = !hasAddress && variables.QUARRY_EMBEDDING_DOWNLOAD;
  return {
    ...(hasAddress ? { address: buildProviderAddress(provider, baseUrl, apiKey) } : {}),
    ...(folder === undefined ? {} : { local: { folder, download, pooling } }),
    ...(documentPrefix === undefined ? {} : { documentPrefix }),
    ...(queryPrefix === undefined ? {} : { queryPrefix }),
    ...(batchSize === undefined ? {} : { batchSize: parseLimitsByModel(batchSize) }),
    ...(maxLength === undefined ? {} : { maxTextLength: parseLimitsByModel(maxLength) }),
  };
}

function buildProviderAddress(
  provider: 'openai' | 'google',
  baseUrl: string | undefined,
  apiKey: string | undefined,
): EmbeddingSources['address'] {
  const key = apiKey === undefined ? {} : { apiKey };
  if (provider === 'google') return { provider, ...(baseUrl === undefined ? {} : { baseUrl }), ...key };
  return baseUrl === undefined ? undefined : { provider, baseUrl, ...key };
}
