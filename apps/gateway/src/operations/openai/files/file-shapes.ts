import {
  Describe,
  IntegerFromText,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  OrNull,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { CursorQuery } from '../protocol/list-window.js';

/** Purposes of files that Quarry can search. OpenAI's other purposes belong to APIs that Quarry does not have. */
export const PURPOSES = ['assistants', 'user_data'] as const;

const MIN_EXPIRY_SECONDS = 3_600;
export const MAX_EXPIRY_SECONDS = 2_592_000;

/** Describes when a file expires. Source: `FileExpirationAfter` of openai/openai-openapi. */
export class FileExpiry {
  @IsIn(['created_at'])
  readonly anchor: 'created_at';

  @IntegerFromText({ min: MIN_EXPIRY_SECONDS, max: MAX_EXPIRY_SECONDS })
  readonly seconds: number;
}

/** Describes the fields of `POST /v1/files`, without the file. Source: `CreateFileRequest` of openai/openai-openapi. */
export class CreateFileFields {
  @IsIn(PURPOSES)
  readonly purpose: (typeof PURPOSES)[number];

  @Describe('Default: 30 days after the upload, the maximum.')
  @IsOptional()
  @ValidateNested()
  @Type(() => FileExpiry)
  readonly expires_after?: FileExpiry;
}

export const MAX_LISTED_FILES = 10_000;

/** Describes the parameters of `GET /v1/files`. */
export class FileListQuery extends CursorQuery {
  @IsOptional()
  @IsString()
  readonly purpose?: string;

  @Describe('Number of files. Default: 10,000.')
  @IsOptional()
  @IntegerFromText({ min: 1, max: MAX_LISTED_FILES })
  readonly limit?: number;
}

/** Describes a file. Source: `OpenAIFile` of openai/openai-openapi. */
export class FileObject {
  @IsString()
  readonly id: string;

  @IsIn(['file'])
  readonly object: 'file';

  @Describe('The size in bytes. 0 for content without a stored size, such as a web site.')
  @IsInt()
  readonly bytes: number;

  @Describe('Unix time in seconds.')
  @IsInt()
  readonly created_at: number;

  @Describe('Unix time in seconds. Absent: the file does not expire.')
  @IsOptional()
  @IsInt()
  readonly expires_at?: number;

  @IsString()
  readonly filename: string;

  @IsString()
  readonly purpose: string;

  @Describe('A stored file can be added to a vector store, which reports whether its text could be read.')
  @IsIn(['processed'])
  readonly status: 'processed';

  @Describe('Always null: only files for APIs that Quarry does not have are validated.')
  @OrNull()
  @IsString()
  readonly status_details: string | null;
}

/** Describes a deleted file. Source: `DeleteFileResponse` of openai/openai-openapi. */
export class DeletedFile {
  @IsString()
  readonly id: string;

  @IsIn(['file'])
  readonly object: 'file';

  @IsBoolean()
  readonly deleted: boolean;
}
