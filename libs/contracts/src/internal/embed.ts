import { ArrayMaxSize, ArrayMinSize, IsArray, IsNotEmpty, IsString, Type, ValidateNested } from '@quarry/validation';
import { EmbeddingSettings } from '../datastore-settings.js';

/** Maximum number of texts in one request to embed texts. */
export const MAX_EMBEDDED_TEXTS = 2_048;

/** Describes the body of `POST /internal/embed` of the query service. The response is an `EmbedResponse`. */
export class EmbedRequest {
  @ValidateNested()
  @Type(() => EmbeddingSettings)
  readonly embedding: EmbeddingSettings;

  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_EMBEDDED_TEXTS)
  @IsString({ each: true })
  @IsNotEmpty({ each: true })
  readonly texts: readonly string[];
}

export interface EmbedResponse {
  /** Lists one vector per text, in the order of the texts. */
  readonly vectors: readonly (readonly number[])[];
  /** Number of tokens of all texts, in the encoding cl100k_base. For very long texts, an upper bound. */
  readonly tokens: number;
}
