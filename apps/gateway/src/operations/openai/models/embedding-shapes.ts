import {
  Describe,
  IsArray,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Max,
  Min,
  Type,
  ValidateBy,
  ValidateNested,
} from '@quarry/validation';

export const ENCODING_FORMATS = ['float', 'base64'] as const;

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

/** Describes the body of `POST /v1/embeddings`. Source: `CreateEmbeddingRequest` of https://github.com/openai/openai-openapi. */
export class EmbeddingRequest {
  @Describe('A text, or a list of texts. Lists of tokens are not supported.')
  @ValidateBy({
    name: 'isStringOrStrings',
    validator: {
      validate: (value) => isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText)),
      defaultMessage: () => 'input must be a text or a list of texts that are not empty; tokens are not supported',
    },
  })
  readonly input: string | readonly string[];

  @IsString()
  @IsNotEmpty()
  readonly model: string;

  @IsOptional()
  @IsIn(ENCODING_FORMATS)
  readonly encoding_format?: (typeof ENCODING_FORMATS)[number];

  @Describe('Must be the number of dimensions of the model.')
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(8_192)
  readonly dimensions?: number;
}

/** Describes the vector of one text. */
export class EmbeddingObject {
  @IsIn(['embedding'])
  readonly object: 'embedding';

  @IsInt()
  readonly index: number;

  @Describe('The numbers, or as `base64` their little-endian 32-bit floating-point values.')
  @ValidateBy({
    name: 'isNumbersOrString',
    validator: { validate: (value) => Array.isArray(value) || typeof value === 'string' },
  })
  readonly embedding: readonly number[] | string;
}

class EmbeddingUsage {
  @Describe('Number of tokens in cl100k_base.')
  @IsInt()
  readonly prompt_tokens: number;

  @IsInt()
  readonly total_tokens: number;
}

/** Describes the response of `POST /v1/embeddings`. */
export class EmbeddingResponse {
  @IsIn(['list'])
  readonly object: 'list';

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => EmbeddingObject)
  readonly data: readonly EmbeddingObject[];

  @IsString()
  readonly model: string;

  @ValidateNested()
  @Type(() => EmbeddingUsage)
  readonly usage: EmbeddingUsage;
}
