import {
  Describe,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  OrNull,
  Type,
  ValidateNested,
  ValidateWith,
} from '@quarry/validation';
import type { FileAttributes } from '../../../vector-stores/attach-files.js';
import { FILE_STATUSES, type FileStatus } from '../../../vector-stores/vector-store-files.js';
import { WindowQuery } from '../protocol/list-window.js';
import { findAttributeViolations } from '../protocol/text-map.js';
import { ChunkingStrategy } from './vector-store-shapes.js';

const ATTRIBUTES =
  'At most 16 texts of at most 512 characters, numbers and booleans, with keys of at most 64 characters. Searches can be filtered by them.';

/** Describes the body of `POST /v1/vector_stores/{vector_store_id}/files`. Source: `CreateVectorStoreFileRequest` of openai/openai-openapi. */
export class CreateVectorStoreFileRequest {
  @IsString()
  readonly file_id: string;

  @Describe('Must be absent, `auto` or equal to the strategy of the vector store, which applies to all its files.')
  @IsOptional()
  @ValidateNested()
  @Type(() => ChunkingStrategy)
  readonly chunking_strategy?: ChunkingStrategy;

  @Describe(ATTRIBUTES)
  @IsOptional()
  @IsObject()
  @ValidateWith(findAttributeViolations)
  readonly attributes?: FileAttributes;
}

/** Describes the body of `POST /v1/vector_stores/{vector_store_id}/files/{file_id}`. */
export class UpdateVectorStoreFileRequest {
  @Describe(`Replaces all attributes; null removes them. ${ATTRIBUTES}`)
  @OrNull()
  @IsObject()
  @ValidateWith(findAttributeViolations)
  readonly attributes: FileAttributes | null;
}

/** Describes the parameters of a list of files. */
export class VectorStoreFileListQuery extends WindowQuery {
  @Describe('Lists the files of this status only.')
  @IsOptional()
  @IsIn(FILE_STATUSES)
  readonly filter?: FileStatus;
}

const ERROR_CODES = ['server_error', 'unsupported_file', 'invalid_file'] as const;

class FileError {
  @IsIn(ERROR_CODES)
  readonly code: (typeof ERROR_CODES)[number];

  @IsString()
  readonly message: string;
}

class StaticSizes {
  @IsInt()
  readonly max_chunk_size_tokens: number;

  @IsInt()
  readonly chunk_overlap_tokens: number;
}

class StaticStrategy {
  @IsIn(['static'])
  readonly type: 'static';

  @ValidateNested()
  @Type(() => StaticSizes)
  readonly static: StaticSizes;
}

/** Describes a file of a vector store. Source: `VectorStoreFileObject` of openai/openai-openapi. */
export class VectorStoreFileObject {
  @Describe('The id of the uploaded file, or `file-` and the id of the datasource.')
  @IsString()
  readonly id: string;

  @IsIn(['vector_store.file'])
  readonly object: 'vector_store.file';

  @Describe('Size of the file in bytes.')
  @IsInt()
  readonly usage_bytes: number;

  @Describe('Unix time in seconds.')
  @IsInt()
  readonly created_at: number;

  @IsString()
  readonly vector_store_id: string;

  @IsIn(FILE_STATUSES)
  readonly status: FileStatus;

  @OrNull()
  @ValidateNested()
  @Type(() => FileError)
  readonly last_error: FileError | null;

  @ValidateNested()
  @Type(() => StaticStrategy)
  readonly chunking_strategy: StaticStrategy;

  @IsObject()
  readonly attributes: FileAttributes;
}

/** Describes a file that was removed from a vector store. Source: `DeleteVectorStoreFileResponse` of openai/openai-openapi. */
export class DeletedVectorStoreFile {
  @IsString()
  readonly id: string;

  @IsIn(['vector_store.file.deleted'])
  readonly object: 'vector_store.file.deleted';

  @IsBoolean()
  readonly deleted: boolean;
}

/** Describes the text of a fragment of a file. */
export class FileContentPart {
  @IsIn(['text'])
  readonly type: 'text';

  @IsString()
  readonly text: string;
}

/** Describes the text of a file. Source: `VectorStoreFileContentResponse` of openai/openai-openapi. */
export class VectorStoreFileContent {
  @IsIn(['vector_store.file_content.page'])
  readonly object: 'vector_store.file_content.page';

  @Describe('The fragments in the order of the file. Neighbours repeat the tokens of their overlap.')
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => FileContentPart)
  readonly data: readonly FileContentPart[];

  @Describe('Always false, because the response contains all fragments.')
  @IsBoolean()
  readonly has_more: boolean;

  @Describe('Always null.')
  @OrNull()
  @IsString()
  readonly next_page: string | null;
}
