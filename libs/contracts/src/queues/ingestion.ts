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
import { EmbeddingSettings } from '../settings.js';
import { STANDARD_RETENTION, STANDARD_RETRY, type QueueContract } from './queue-contract.js';
import { repeatSuffix, SyncJob, type RepeatedJob } from './sync-job.js';

/** Some of a blob's bytes. */
export class BlobRange {
  @IsInt()
  @Min(0)
  readonly start: number;

  @IsInt()
  @Min(1)
  readonly length: number;
}

/** Read, split, embed and index one document, replacing what the datastore holds under the same document key. */
export class IndexDocument extends SyncJob {
  /**
   * True for one of several documents of a run, such as a page of a site: its end is told as `document-settled`. Absent: the
   * document is the whole run, and its end is the run's, told as `status-changed`.
   */
  @IsOptional()
  @IsBoolean()
  readonly partOfRun?: boolean;

  /** Names the document inside its datasource: the caller's id, the custom id, the address or the file name. */
  @IsString()
  @IsNotEmpty()
  readonly documentKey: string;

  /** What people call the document: a file name, a title. */
  @IsString()
  readonly name: string;

  /** Where the bytes are in the blob store. */
  @IsString()
  @IsNotEmpty()
  readonly blobKey: string;

  /** Where the blob holds several documents: which bytes of it are this one. */
  @IsOptional()
  @ValidateNested()
  @Type(() => BlobRange)
  readonly blobPart?: BlobRange;

  @IsString()
  @IsNotEmpty()
  readonly mimeType: string;

  /** The address a reader can open, where there is one. */
  @IsOptional()
  @IsString()
  readonly source?: string;

  @IsOptional()
  @IsObject()
  readonly metadata?: Readonly<Record<string, unknown>>;

  /** The version of the content at its origin. It is returned with the document's end. */
  @IsOptional()
  @IsString()
  readonly version?: string;
}

/** What every removal has. */
export class Removal {
  /** The worker confirms the removal under this id. Absent in jobs of earlier versions, which are not confirmed. */
  @IsOptional()
  @IsString()
  @IsNotEmpty()
  readonly removalId?: string;

  /** Counted from 1: a removal that is not confirmed is repeated. */
  @IsOptional()
  @IsInt()
  @Min(1)
  readonly attempt?: number;
}

/** Remove one document that is no longer part of its datasource. */
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

  /** Of the run that found it gone. What a later run has stored stays. */
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

/** Remove every fragment of a datasource, and its blobs. */
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

/** Remove every fragment of a datastore, and its blobs. */
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

/** Names a document within a run; a key can be longer than a job's id may be. */
export function documentJobId(job: { readonly runId: string; readonly documentKey: string }): string {
  return `${job.runId}.${hash('sha256', job.documentKey, 'base64url')}`;
}

/** A repeated removal is another job: a failed or finished one that is kept does not hide it. */
function removalJobId(removed: string, { attempt = 1 }: Removal): string {
  return attempt === 1 ? `remove.${removed}` : `remove.${removed}.${attempt}`;
}

/** Returns the id of the job that indexes a document. */
export function indexJobId(job: RepeatedJob & { readonly documentKey: string }): string {
  return documentJobId(job) + repeatSuffix(job.repeat);
}

export const ingestionQueue: QueueContract<IngestionJobs> = {
  name: 'ingestion',
  jobs: {
    'index-document': {
      payload: IndexDocument,
      id: indexJobId,
      ...STANDARD_RETRY,
    },
    'remove-document': {
      payload: RemoveDocument,
      id: (job) => removalJobId(documentJobId(job), job),
      ...STANDARD_RETRY,
    },
    'remove-datasource': {
      payload: RemoveDatasource,
      id: (job) => removalJobId(job.datasourceId, job),
      ...STANDARD_RETRY,
    },
    'remove-datastore': {
      payload: RemoveDatastore,
      id: (job) => removalJobId(job.datastoreId, job),
      ...STANDARD_RETRY,
    },
  },
  ...STANDARD_RETENTION,
};
