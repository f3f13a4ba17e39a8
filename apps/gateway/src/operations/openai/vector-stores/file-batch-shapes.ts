import {
  ArrayMaxSize,
  ArrayMinSize,
  Describe,
  IsArray,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Type,
  ValidateNested,
  ValidateWith,
} from '@quarry/validation';
import { createFieldProblem } from '../../../checks/field-problem.js';
import type { FileAttributes } from '../../../vector-stores/attach-files.js';
import { FILE_STATUSES, type FileStatus } from '../../../vector-stores/vector-store-files.js';
import { findAttributeViolations } from '../protocol/text-map.js';
import { CreateVectorStoreFileRequest } from './vector-store-file-shapes.js';
import { ChunkingStrategy, FileCountsObject, MAX_ATTACHED_FILES } from './vector-store-shapes.js';

/** Describes the body of `POST /v1/vector_stores/{vector_store_id}/file_batches`. Source: `CreateVectorStoreFileBatchRequest` of openai/openai-openapi. */
export class CreateFileBatchRequest {
  @Describe('The files. Absent with `files`.')
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_ATTACHED_FILES)
  @IsString({ each: true })
  readonly file_ids?: readonly string[];

  @Describe('The files, each with its attributes. Absent with `file_ids`.')
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_ATTACHED_FILES)
  @ValidateNested({ each: true })
  @Type(() => CreateVectorStoreFileRequest)
  readonly files?: readonly CreateVectorStoreFileRequest[];

  @Describe('Must be absent, `auto` or equal to the strategy of the vector store. Absent with `files`.')
  @IsOptional()
  @ValidateNested()
  @Type(() => ChunkingStrategy)
  readonly chunking_strategy?: ChunkingStrategy;

  @Describe('Attributes of each file. Absent with `files`.')
  @IsOptional()
  @IsObject()
  @ValidateWith(findAttributeViolations)
  readonly attributes?: FileAttributes;
}

/**
 * Returns the files of a batch with their settings.
 *
 * @throws Problem 400 for a body with both `files` and `file_ids`, or with neither
 */
export function listBatchFiles(body: CreateFileBatchRequest): readonly CreateVectorStoreFileRequest[] {
  const { files, file_ids: ids, ...settings } = body;
  if (files === undefined) {
    if (ids !== undefined) return ids.map((id) => ({ file_id: id, ...settings }));
    throw createFieldProblem('file_ids', 'must be present if files is absent');
  }
  const [conflict] = Object.keys({ ...(ids !== undefined && { file_ids: ids }), ...settings });
  if (conflict !== undefined)
    throw createFieldProblem(conflict, 'must be absent if files is present, because each of the files contains it');
  return files;
}

/** Describes a batch of files. Source: `VectorStoreFileBatchObject` of openai/openai-openapi. */
export class FileBatchObject {
  @IsString()
  readonly id: string;

  @IsIn(['vector_store.files_batch'])
  readonly object: 'vector_store.files_batch';

  @Describe('Unix time in seconds.')
  @IsInt()
  readonly created_at: number;

  @IsString()
  readonly vector_store_id: string;

  @Describe(
    '`in_progress` while a file is in progress. Afterwards `cancelled` if a file was cancelled, `failed` if all files failed, and otherwise `completed`.',
  )
  @IsIn(FILE_STATUSES)
  readonly status: FileStatus;

  @Describe('The number of files by status, without files that were removed from the vector store.')
  @ValidateNested()
  @Type(() => FileCountsObject)
  readonly file_counts: FileCountsObject;
}
