import { BooleanFromText, IsIn, IsNotEmpty, IsOptional, IsString, IsUrl, Matches } from '@quarry/validation';
import { LIMITS_BY_MODEL, parseLimitsByModel } from './limits-by-model.js';
import type { EmbeddingSources } from './open-embedders.js';

/** The variables that say where texts are embedded. Whoever embeds questions and whoever embeds documents have the same. */
export class EmbeddingVariables {
  /** Whose protocol the address speaks. `google`: the Gemini API, whose address need not be given. */
  @IsIn(['openai', 'google'])
  readonly QUARRY_EMBEDDING_PROVIDER: 'openai' | 'google' = 'openai';

  /** An OpenAI-compatible address, up to and with `/v1`; or one that stands in for Google's. */
  @IsOptional()
  @IsUrl({ require_tld: false, protocols: ['http', 'https'], require_protocol: true })
  readonly QUARRY_EMBEDDING_BASE_URL?: string;

  @IsOptional()
  @IsString()
  readonly QUARRY_EMBEDDING_API_KEY?: string;

  /** A folder of ONNX models, each in a folder of its name. A model that is in it runs in the service itself. */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly QUARRY_EMBEDDING_FOLDER?: string;

  /** Whether models that are not in the folder are fetched from Hugging Face's hub, when no address is configured. */
  @BooleanFromText()
  readonly QUARRY_EMBEDDING_DOWNLOAD: boolean = false;

  /** How a model of the folder makes one vector of a text's many, as it was trained. */
  @IsIn(['mean', 'cls'])
  readonly QUARRY_EMBEDDING_POOLING: 'mean' | 'cls' = 'mean';

  /** Goes in front of a passage, for models that were trained with one, such as `passage: `. */
  @IsOptional()
  @IsString()
  readonly QUARRY_EMBEDDING_DOCUMENT_PREFIX?: string;

  /** Goes in front of a question, such as `query: `. */
  @IsOptional()
  @IsString()
  readonly QUARRY_EMBEDDING_QUERY_PREFIX?: string;

  /** The most texts in one request to the address: a number for all models, or `model=number` with commas between. */
  @IsOptional()
  @Matches(LIMITS_BY_MODEL)
  readonly QUARRY_EMBEDDING_BATCH_SIZE?: string;

  /** Of a longer text, the beginning is embedded: in characters, by models as above. Without it, what the provider refuses is cut. */
  @IsOptional()
  @Matches(LIMITS_BY_MODEL)
  readonly QUARRY_EMBEDDING_MAX_TEXT_LENGTH?: string;
}

/** @returns undefined where neither an address nor a folder is configured */
export function embeddingSources(variables: EmbeddingVariables): EmbeddingSources | undefined {
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
  // Where there is an address, it knows the models that the folder does not have.
  const download = !hasAddress && variables.QUARRY_EMBEDDING_DOWNLOAD;
  return {
    ...(hasAddress ? { address: addressOf(provider, baseUrl, apiKey) } : {}),
    ...(folder === undefined ? {} : { local: { folder, download, pooling } }),
    ...(documentPrefix === undefined ? {} : { documentPrefix }),
    ...(queryPrefix === undefined ? {} : { queryPrefix }),
    ...(batchSize === undefined ? {} : { batchSize: parseLimitsByModel(batchSize) }),
    ...(maxLength === undefined ? {} : { maxTextLength: parseLimitsByModel(maxLength) }),
  };
}

function addressOf(
  provider: 'openai' | 'google',
  baseUrl: string | undefined,
  apiKey: string | undefined,
): EmbeddingSources['address'] {
  const key = apiKey === undefined ? {} : { apiKey };
  if (provider === 'google') return { provider, ...(baseUrl === undefined ? {} : { baseUrl }), ...key };
  return baseUrl === undefined ? undefined : { provider, baseUrl, ...key };
}
