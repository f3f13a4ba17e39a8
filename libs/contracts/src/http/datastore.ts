import { IsNotEmpty, IsOptional, IsString, MaxLength, Type, ValidateNested } from '@quarry/validation';
import { EmbeddingSettings, SplittingSettings } from '../settings.js';

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

  /** Fixed for the datastore's life. Absent: what the installation is set to. */
  @IsOptional()
  @ValidateNested()
  @Type(() => EmbeddingSettings)
  readonly embedding?: EmbeddingSettings | null;

  /** Absent: 512 tokens with 64 of overlap. */
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
  readonly name?: string;

  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  readonly description?: string | null;

  @IsOptional()
  @ValidateNested()
  @Type(() => SplittingSettings)
  readonly splitting?: SplittingSettings;
}

export interface DatastoreResponse {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  /** Null: it is searched by words alone. */
  readonly embedding: EmbeddingSettings | null;
  readonly splitting: SplittingSettings;
  readonly createdAt: string;
  readonly updatedAt: string;
}
