import {
  Describe,
  IsISO8601,
  IsNotEmpty,
  IsOptional,
  IsString,
  MaxLength,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { EmbeddingSettings, NewEmbeddingSettings, SplittingSettings } from '../settings.js';

/** Body of `POST /datastores`. */
export class CreateDatastoreRequest {
  @IsString()
  @IsNotEmpty()
  @MaxLength(200)
  readonly name: string;

  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  readonly description?: string | null;

  @Describe("Fixed for the datastore's life. Absent: what the installation is set to.")
  @IsOptional()
  @ValidateNested()
  @Type(() => NewEmbeddingSettings)
  readonly embedding?: NewEmbeddingSettings | null;

  @Describe('Absent: 512 tokens with 64 of overlap.')
  @IsOptional()
  @ValidateNested()
  @Type(() => SplittingSettings)
  readonly splitting?: SplittingSettings | null;
}

/** Body of `PATCH /datastores/{id}`: what is absent stays as it is. New splitting applies to runs that start later. */
export class UpdateDatastoreRequest {
  @IsOptional()
  @IsString()
  @IsNotEmpty()
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
}

/** A datastore as it is set. */
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
  @Describe('Null: it is searched by words alone.')
  readonly embedding: EmbeddingSettings | null;

  @ValidateNested()
  @Type(() => SplittingSettings)
  readonly splitting: SplittingSettings;

  @IsISO8601()
  readonly createdAt: string;

  @IsISO8601()
  readonly updatedAt: string;
}
