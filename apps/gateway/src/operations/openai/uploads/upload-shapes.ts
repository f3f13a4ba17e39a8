import {
  ArrayMaxSize,
  ArrayMinSize,
  Describe,
  IsArray,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  MaxLength,
  Min,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { FileExpiry, FileObject, PURPOSES } from '../files/file-shapes.js';

/** Describes the body of `POST /v1/uploads`. Source: `CreateUploadRequest` of openai/openai-openapi. */
export class CreateUploadRequest {
  @IsString()
  @IsNotEmpty()
  @MaxLength(1_000)
  readonly filename: string;

  @IsIn(PURPOSES)
  readonly purpose: (typeof PURPOSES)[number];

  @Describe('Size of the complete file in bytes, at most the maximum file size.')
  @IsInt()
  @Min(1)
  readonly bytes: number;

  @IsString()
  @MaxLength(200)
  readonly mime_type: string;

  @Describe('When the complete file expires. Default: 30 days after its upload, the maximum.')
  @IsOptional()
  @ValidateNested()
  @Type(() => FileExpiry)
  readonly expires_after?: FileExpiry;
}

/** Describes the fields of the form of a part, without the field `data`, which contains the bytes. */
export class UploadPartFields {}

/** Maximum number of parts of an upload. */
export const MAX_PARTS = 10_000;

/** Describes the body of `POST /v1/uploads/{upload_id}/complete`. Source: `CompleteUploadRequest` of openai/openai-openapi. */
export class CompleteUploadRequest {
  @Describe('The parts in the order of their bytes.')
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_PARTS)
  @IsString({ each: true })
  readonly part_ids: readonly string[];

  @IsOptional()
  @IsString()
  @Matches(/^[0-9a-fA-F]{32}$/)
  readonly md5?: string;
}

/** Describes an upload. Source: `Upload` of openai/openai-openapi. */
export class UploadObject {
  @IsString()
  readonly id: string;

  @IsIn(['upload'])
  readonly object: 'upload';

  @Describe('Unix time in seconds.')
  @IsInt()
  readonly created_at: number;

  @IsString()
  readonly filename: string;

  @IsInt()
  readonly bytes: number;

  @IsString()
  readonly purpose: string;

  @IsIn(['pending', 'completed', 'cancelled'])
  readonly status: 'pending' | 'completed' | 'cancelled';

  @Describe('When the upload can no longer be completed. Unix time in seconds.')
  @IsInt()
  readonly expires_at: number;

  @Describe('The file of a completed upload.')
  @IsOptional()
  @ValidateNested()
  @Type(() => FileObject)
  readonly file?: FileObject;
}

/** Describes a part of an upload. Source: `UploadPart` of openai/openai-openapi. */
export class UploadPartObject {
  @IsString()
  readonly id: string;

  @IsIn(['upload.part'])
  readonly object: 'upload.part';

  @Describe('Unix time in seconds.')
  @IsInt()
  readonly created_at: number;

  @IsString()
  readonly upload_id: string;
}
