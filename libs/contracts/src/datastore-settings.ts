import { Describe, IsIn, IsInt, IsNotEmpty, IsOptional, IsString, Max, Min } from '@quarry/validation';

class EmbeddedBy {
  @Describe('Model name as defined by its provider, such as `text-embedding-3-small`.')
  @IsString()
  @IsNotEmpty()
  readonly model: string;

  @Describe('Number of dimensions of each vector.')
  @IsInt()
  @Min(1)
  @Max(8192)
  readonly dimensions: number;
}

/**
 * Describes how the fragments of a datastore are embedded. These settings are fixed when the datastore is created; a
 * change requires a new datastore.
 */
export class EmbeddingSettings extends EmbeddedBy {
  @IsIn(['cosine'])
  readonly distance: 'cosine';
}

/** Describes the embedding settings in a request. */
export class EmbeddingSettingsRequest extends EmbeddedBy {
  @Describe('Only `cosine` is supported.')
  @IsOptional()
  @IsIn(['cosine'])
  readonly distance?: 'cosine' | null;
}

/** Describes the maximum size of the fragments of a datastore and the overlap of consecutive fragments, in tokens. */
export class SplittingSettings {
  @IsInt()
  @Min(32)
  @Max(8192)
  readonly maxTokens: number;

  @IsInt()
  @Min(0)
  @Max(1024)
  readonly overlapTokens: number;
}

export const DEFAULT_SPLITTING: SplittingSettings = { maxTokens: 512, overlapTokens: 64 };
