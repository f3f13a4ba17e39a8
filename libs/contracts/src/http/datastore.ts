import {
  Describe,
  IsInt,
  IsISO8601,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { IsNotBlank } from './is-not-blank.js';
import { EmbeddingSettings, EmbeddingSettingsRequest, SplittingSettings } from '../datastore-settings.js';
import { IsOcrLanguages } from '../ocr-languages.js';

/** Describes the body of `POST /datastores`. */
export class CreateDatastoreRequest {
  @IsString()
  @IsNotBlank()
  @MaxLength(200)
  readonly name: string;

  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  readonly description?: string | null;

  @Describe(
    'Embedding of the datastore. It cannot be changed later. Default: the embedding settings of the installation.',
  )
  @IsOptional()
  @ValidateNested()
  @Type(() => EmbeddingSettingsRequest)
  readonly embedding?: EmbeddingSettingsRequest | null;

  @Describe('Default: 512 tokens with an overlap of 64.')
  @IsOptional()
  @ValidateNested()
  @Type(() => SplittingSettings)
  readonly splitting?: SplittingSettings | null;

  @Describe(
    'Languages of scans, in the names of the language data of Tesseract, such as `deu`. Null: those of the installation.',
  )
  @IsOptional()
  @IsOcrLanguages()
  readonly ocrLanguages?: readonly string[] | null;
}

/**
 * Describes the body of `PATCH /datastores/{id}`. Absent fields stay unchanged. New settings apply to runs that start
 * later.
 */
export class UpdateDatastoreRequest {
  @IsOptional()
  @IsString()
  @IsNotBlank()
  @MaxLength(200)
  readonly name?: string | null;

  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  readonly description?: string | null;

  @IsOptional()
  @ValidateNested()
  @Type(() => SplittingSettings)
  readonly splitting?: SplittingSettings | null;

  @Describe(
    'Languages of scans, in the names of the language data of Tesseract, such as `deu`. Null: those of the installation.',
  )
  @IsOptional()
  @IsOcrLanguages()
  readonly ocrLanguages?: readonly string[] | null;
}

/** Describes when a datastore expires. */
@Describe('When a datastore expires. The OpenAI-compatible API sets it with `expires_after`.')
export class DatastoreExpiry {
  @IsInt()
  @Min(1)
  @Describe('Number of days without use after which the datastore expires.')
  readonly days: number;

  @IsISO8601()
  @Describe('Time at which the datastore expires, unless it is used before.')
  readonly expiresAt: string;

  @OrNull()
  @IsISO8601()
  @Describe(
    'Time since which queries reject the datastore, because it has expired. Its content is kept. Null: it has not expired.',
  )
  readonly expiredAt: string | null;
}

/** Describes a datastore and its settings. */
@Describe('A datastore.')
export class DatastoreResponse {
  @IsString()
  readonly id: string;

  @IsString()
  readonly name: string;

  @OrNull()
  @IsString()
  readonly description: string | null;

  @OrNull()
  @ValidateNested()
  @Type(() => EmbeddingSettings)
  @Describe('Null if the datastore has no embedding and its search is lexical only.')
  readonly embedding: EmbeddingSettings | null;

  @ValidateNested()
  @Type(() => SplittingSettings)
  readonly splitting: SplittingSettings;

  @Describe(
    'Languages of scans, in the names of the language data of Tesseract, such as `deu`. Null: those of the installation.',
  )
  @OrNull()
  @IsOcrLanguages()
  readonly ocrLanguages: readonly string[] | null;

  @OrNull()
  @ValidateNested()
  @Type(() => DatastoreExpiry)
  @Describe('Null if the datastore never expires.')
  readonly expiry: DatastoreExpiry | null;

  @IsISO8601()
  readonly createdAt: string;

  @IsISO8601()
  readonly updatedAt: string;
}
