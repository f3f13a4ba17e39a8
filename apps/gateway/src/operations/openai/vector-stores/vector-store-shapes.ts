import { IsNotBlank, type SplittingSettings } from '@quarry/contracts';
import {
  ArrayMaxSize,
  Describe,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  OrNull,
  Type,
  ValidateNested,
  ValidateWith,
} from '@quarry/validation';
import { createFieldProblem } from '../../../checks/field-problem.js';
import { findMetadataViolations } from '../protocol/text-map.js';

class StaticChunking {
  @IsInt()
  @Min(100)
  @Max(4_096)
  readonly max_chunk_size_tokens: number;

  @Describe('At most half of `max_chunk_size_tokens`.')
  @IsInt()
  @Min(0)
  @Max(1_024)
  readonly chunk_overlap_tokens: number;
}

/** Describes how texts are split. Source: `ChunkingStrategyRequestParam` of openai/openai-openapi. */
export class ChunkingStrategy {
  @Describe('`auto`: the default of Quarry.')
  @IsIn(['auto', 'static'])
  readonly type: 'auto' | 'static';

  @IsOptional()
  @ValidateNested()
  @Type(() => StaticChunking)
  readonly static?: StaticChunking;
}

/**
 * Returns the splitting settings of a chunking strategy, or undefined for the default strategy.
 *
 * @throws Problem 400 if `static` does not match `type`, or if the overlap exceeds half of the maximum chunk size
 */
export function buildSplittingSettings(strategy: ChunkingStrategy | undefined): SplittingSettings | undefined {
  if (strategy === undefined) return undefined;
  const { type, static: sizes } = strategy;
  if ((type === 'static') !== (sizes !== undefined)) {
    const expected = type === 'static' ? 'must be present' : 'must be absent';
    throw createFieldProblem('chunking_strategy.static', `${expected} for the type ${type}`);
  }
  if (sizes === undefined) return undefined;
  const { max_chunk_size_tokens: maxTokens, chunk_overlap_tokens: overlapTokens } = sizes;
  if (overlapTokens * 2 <= maxTokens) return { maxTokens, overlapTokens };
  const message = `must be at most half of max_chunk_size_tokens (${maxTokens}), found ${overlapTokens}`;
  throw createFieldProblem('chunking_strategy.static.chunk_overlap_tokens', message);
}

/** Maximum number of files in one request. */
export const MAX_ATTACHED_FILES = 500;

/** Describes when a vector store expires. Source: `VectorStoreExpirationAfter` of openai/openai-openapi. */
export class VectorStoreExpiry {
  @Describe('Searches and the addition of files count as activity.')
  @IsIn(['last_active_at'])
  readonly anchor: 'last_active_at';

  @IsInt()
  @Min(1)
  @Max(365)
  readonly days: number;
}

/** Describes the body of `POST /v1/vector_stores`. Source: `CreateVectorStoreRequest` of openai/openai-openapi. */
export class CreateVectorStoreRequest {
  @IsOptional()
  @IsString()
  @IsNotBlank()
  @MaxLength(200)
  readonly name?: string;

  @IsOptional()
  @IsString()
  @MaxLength(2_000)
  readonly description?: string;

  @Describe('Files that the vector store contains from the start.')
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MAX_ATTACHED_FILES)
  @IsString({ each: true })
  readonly file_ids?: readonly string[];

  @IsOptional()
  @ValidateNested()
  @Type(() => ChunkingStrategy)
  readonly chunking_strategy?: ChunkingStrategy;

  @Describe('When the vector store can no longer be searched. Default: never.')
  @IsOptional()
  @ValidateNested()
  @Type(() => VectorStoreExpiry)
  readonly expires_after?: VectorStoreExpiry;

  @Describe('At most 16 texts of at most 512 characters, with keys of at most 64 characters.')
  @IsOptional()
  @IsObject()
  @ValidateWith(findMetadataViolations)
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Describes the body of `POST /v1/vector_stores/{vector_store_id}`. Source: `UpdateVectorStoreRequest` of openai/openai-openapi. */
export class UpdateVectorStoreRequest {
  @IsOptional()
  @IsString()
  @IsNotBlank()
  @MaxLength(200)
  readonly name?: string;

  @Describe('Restarts the time until the expiry. An expired vector store can then be searched again.')
  @IsOptional()
  @ValidateNested()
  @Type(() => VectorStoreExpiry)
  readonly expires_after?: VectorStoreExpiry;

  @IsOptional()
  @IsObject()
  @ValidateWith(findMetadataViolations)
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Describes the number of files of each status. */
export class FileCountsObject {
  @IsInt()
  readonly in_progress: number;

  @IsInt()
  readonly completed: number;

  @IsInt()
  readonly failed: number;

  @IsInt()
  readonly cancelled: number;

  @IsInt()
  readonly total: number;
}

/** Describes a vector store. Source: `VectorStoreObject` of openai/openai-openapi. */
export class VectorStoreObject {
  @Describe('`vs_` and the id of the datastore.')
  @IsString()
  readonly id: string;

  @IsIn(['vector_store'])
  readonly object: 'vector_store';

  @Describe('Unix time in seconds.')
  @IsInt()
  readonly created_at: number;

  @IsString()
  readonly name: string;

  @OrNull()
  @IsString()
  readonly description: string | null;

  @Describe('Size of the files in bytes.')
  @IsInt()
  readonly usage_bytes: number;

  @ValidateNested()
  @Type(() => FileCountsObject)
  readonly file_counts: FileCountsObject;

  @Describe('`expired`: it cannot be searched. `in_progress` while a file is being indexed.')
  @IsIn(['expired', 'in_progress', 'completed'])
  readonly status: 'expired' | 'in_progress' | 'completed';

  @IsOptional()
  @ValidateNested()
  @Type(() => VectorStoreExpiry)
  readonly expires_after?: VectorStoreExpiry;

  @Describe('Unix time in seconds. Null: it does not expire.')
  @OrNull()
  @IsInt()
  readonly expires_at: number | null;

  @Describe(
    'With `expires_after`, when it was last used, to the hour. Otherwise when it was last changed. Unix time in seconds.',
  )
  @OrNull()
  @IsInt()
  readonly last_active_at: number | null;

  @OrNull()
  @IsObject()
  readonly metadata: Readonly<Record<string, string>> | null;
}

/** Describes a deleted vector store. Source: `DeleteVectorStoreResponse` of openai/openai-openapi. */
export class DeletedVectorStore {
  @IsString()
  readonly id: string;

  @IsIn(['vector_store.deleted'])
  readonly object: 'vector_store.deleted';

  @IsBoolean()
  readonly deleted: boolean;
}
