import { hash } from 'node:crypto';
import {
  IsBoolean,
  IsInt,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Min,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { EmbeddingSettings } from '../datastore-settings.js';
import { DOCUMENT_RETENTION, STANDARD_RETRY, type QueueContract } from './queue-contract.js';
import { formatRepeatSuffix, SyncJob, type RepeatedJob } from './sync-job.js';

/** Describes a range of bytes in a blob. */
export class BlobRange {
  @IsInt()
  @Min(0)
  readonly start: number;

  @IsInt()
  @Min(1)
  readonly length: number;
}

/**
 * Describes the job that reads, splits, embeds and indexes one document. The document replaces the stored document with
 * the same key.
 */
export class IndexDocument extends SyncJob {
  /**
   * True: the document is one of several of the run, such as a page of a site. `document-settled` reports its outcome.
   * Absent: the document is the whole run, and `status-changed` reports its outcome.
   */
  @IsOptional()
  @IsBoolean()
  readonly partOfRun?: boolean;

  /** Identifies the document within its datasource: the caller's id, the custom id, the URL or the file name. */
  @IsString()
  @IsNotEmpty()
  readonly documentKey: string;

  /** Holds the display name: a file name or a title. */
  @IsString()
  readonly name: string;

  /** Identifies the blob that contains the bytes of the document. */
  @IsString()
  @IsNotEmpty()
  readonly blobKey: string;

  /** Selects the bytes of this document in a blob that contains several documents. Absent: the whole blob. */
  @IsOptional()
  @ValidateNested()
  @Type(() => BlobRange)
  readonly blobPart?: BlobRange;

  @IsString()
  @IsNotEmpty()
  readonly mimeType: string;

  /** Holds the URL at which users can open the document. Absent: there is none. */
  @IsOptional()
  @IsString()
  readonly source?: string;

  @IsOptional()
  @IsObject()
  readonly metadata?: Readonly<Record<string, unknown>>;

  /**
   * Holds the version of the content: a hash that the listing sync computes. `document-settled` returns it. Absent: the
   * document has no version.
   */
  @IsOptional()
  @IsString()
  readonly version?: string;
}

/** Describes the fields that all jobs for removals share. */
export class Removal {
  /**
   * Id of the removal, with which the worker confirms it. Absent in jobs of earlier versions, which workers do not
   * confirm.
   */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly removalId?: string;

  /** Number of the attempt to remove the content, from 1. A removal that is not confirmed is attempted again. */
  @IsOptional()
  @IsInt()
  @Min(1)
  readonly attempt?: number;
}

/** Describes the job that removes one document that is no longer part of its datasource. */
export class RemoveDocument extends Removal {
  @IsString()
  @IsNotEmpty()
  readonly organizationId: string;

  @IsString()
  @IsNotEmpty()
  readonly datastoreId: string;

  @IsString()
  @IsNotEmpty()
  readonly datasourceId: string;

  @IsString()
  @IsNotEmpty()
  readonly runId: string;

  /** Holds the generation of the run that did not find the document. Fragments of later generations are not removed. */
  @IsInt()
  @Min(1)
  readonly generation: number;

  @IsString()
  @IsNotEmpty()
  readonly documentKey: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => EmbeddingSettings)
  readonly embedding?: EmbeddingSettings;
}

/** Describes the job that removes all fragments and blobs of a datasource. */
export class RemoveDatasource extends Removal {
  @IsString()
  @IsNotEmpty()
  readonly organizationId: string;

  @IsString()
  @IsNotEmpty()
  readonly datastoreId: string;

  @IsString()
  @IsNotEmpty()
  readonly datasourceId: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => EmbeddingSettings)
  readonly embedding?: EmbeddingSettings;
}

/** Describes the job that removes all fragments and blobs of a datastore. */
export class RemoveDatastore extends Removal {
  @IsString()
  @IsNotEmpty()
  readonly organizationId: string;

  @IsString()
  @IsNotEmpty()
  readonly datastoreId: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => EmbeddingSettings)
  readonly embedding?: EmbeddingSettings;
}

export type IngestionJobs = {
  readonly 'index-document': IndexDocument;
  readonly 'remove-document': RemoveDocument;
  readonly 'remove-datasource': RemoveDatasource;
  readonly 'remove-datastore': RemoveDatastore;
};

/**
 * Returns the job id for a document of a run. It contains a hash of the key, because a document key can be longer than
 * a job id may be.
 */
export function buildDocumentJobId(job: { readonly runId: string; readonly documentKey: string }): string {
  return `${job.runId}.${hash('sha256', job.documentKey, 'base64url')}`;
}

/**
 * Returns a different job id for each attempt of a removal, because the queue ignores a job with the id of a job that
 * it retains.
 */
function buildRemovalJobId(removedId: string, { attempt = 1 }: Removal): string {
  return attempt === 1 ? `remove.${removedId}` : `remove.${removedId}.${attempt}`;
}

/** Returns the id of the job that indexes a document. */
export function buildIndexJobId(job: RepeatedJob & { readonly documentKey: string }): string {
  return buildDocumentJobId(job) + formatRepeatSuffix(job.repeat);
}

export const ingestionQueue: QueueContract<IngestionJobs> = {
  name: 'ingestion',
  jobs: {
    'index-document': {
      payload: IndexDocument,
      buildId: buildIndexJobId,
      ...STANDARD_RETRY,
    },
    'remove-document': {
      payload: RemoveDocument,
      buildId: (job) => buildRemovalJobId(buildDocumentJobId(job), job),
      ...STANDARD_RETRY,
    },
    'remove-datasource': {
      payload: RemoveDatasource,
      buildId: (job) => buildRemovalJobId(job.datasourceId, job),
      ...STANDARD_RETRY,
    },
    'remove-datastore': {
      payload: RemoveDatastore,
      buildId: (job) => buildRemovalJobId(job.datastoreId, job),
      ...STANDARD_RETRY,
    },
  },
  ...DOCUMENT_RETENTION,
};
