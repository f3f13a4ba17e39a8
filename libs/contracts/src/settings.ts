import { Describe, IsIn, IsInt, IsNotEmpty, IsOptional, IsString, Max, Min } from '@quarry/validation';

class EmbeddedBy {
  @Describe("The model's name as its provider knows it, such as `text-embedding-3-small`.")
  @IsString()
  @IsNotEmpty()
  readonly model: string;

  @Describe('Length of every vector.')
  @IsInt()
  @Min(1)
  @Max(8192)
  readonly dimensions: number;
}

/** How a datastore's fragments are embedded. Fixed when the datastore is made: changing it means indexing again. */
export class EmbeddingSettings extends EmbeddedBy {
  @IsIn(['cosine'])
  readonly distance: 'cosine';
}

/** The same, as a request gives it. */
export class NewEmbeddingSettings extends EmbeddedBy {
  @Describe('There is one: `cosine`.')
  @IsOptional()
  @IsIn(['cosine'])
  readonly distance?: 'cosine' | null;
}

/** How a datastore's documents are cut into fragments, in tokens. */
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
