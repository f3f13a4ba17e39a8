import { IsIn, IsNotEmpty, IsObject, IsOptional, IsString, MaxLength, Type, ValidateNested } from '@quarry/validation';
import type { ReasonCode } from '../datasource/reasons.js';
import { BlobRange } from '../queues/ingestion.js';

/** Maximum length of a document key, which is usually a URL. PostgreSQL cannot index text longer than 2,700 bytes. */
const MAX_DOCUMENT_KEY_LENGTH = 2_048;

/** Describes a document that a run passes to ingestion. The gateway adds fields of the datasource and the run. */
export class DocumentToIndex {
  /** Identifies the document within its datasource. */
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_DOCUMENT_KEY_LENGTH)
  readonly documentKey: string;

  @IsString()
  readonly name: string;

  @IsString()
  @IsNotEmpty()
  readonly blobKey: string;

  /** Selects the bytes of the blob that contain this document. Absent: the whole blob. */
  @IsOptional()
  @ValidateNested()
  @Type(() => BlobRange)
  readonly blobPart?: BlobRange;

  @IsString()
  @IsNotEmpty()
  readonly mimeType: string;

  /** Holds the URL at which users can open the document. */
  @IsOptional()
  @IsString()
  readonly source?: string;

  @IsOptional()
  @IsObject()
  readonly metadata?: Readonly<Record<string, unknown>>;

  /**
   * Holds the version of the content: a hash that the listing sync computes. The gateway stores it when the document is
   * indexed. Absent: the document has no version.
   */
  @IsOptional()
  @IsString()
  readonly version?: string;
}

export const SETTLED_BY_FINDER = ['unchanged', 'failed', 'skipped'] as const;

/** Describes the outcome of a document that settles without an ingestion job, such as a skipped page. */
export class DocumentOutcomeFound {
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_DOCUMENT_KEY_LENGTH)
  readonly documentKey: string;

  @IsIn(SETTLED_BY_FINDER)
  readonly outcome: (typeof SETTLED_BY_FINDER)[number];

  /** Holds the version of an invalid document (`item_invalid`). Absent: the document is valid or has no version. */
  @IsOptional()
  @IsString()
  readonly version?: string;

  @IsOptional()
  @IsString()
  readonly code?: ReasonCode;

  @IsOptional()
  @IsString()
  readonly message?: string;

  @IsOptional()
  @IsString()
  readonly name?: string;

  @IsOptional()
  @IsString()
  readonly source?: string;
}
