import { createHash } from 'node:crypto';
import { IsIn, IsInt, IsNotEmpty, IsObject, IsOptional, IsString, Min, Type, ValidateNested } from '@quarry/validation';
import { DATASOURCE_TYPES, type DatasourceType } from '../datasource/datasource.js';
import { EmbeddingSettings, SplittingSettings } from '../settings.js';
import { STANDARD_RETENTION, STANDARD_RETRY, type QueueContract } from './queue-contract.js';

/** Read, split, embed and index one document, replacing what the datastore holds under the same document key. */
export class IndexDocument {
  @IsString()
  @IsNotEmpty()
  readonly organizationId: string;

  @IsString()
  @IsNotEmpty()
  readonly datastoreId: string;

  @IsString()
  @IsNotEmpty()
  readonly datasourceId: string;

  @IsIn(DATASOURCE_TYPES)
  readonly datasourceType: DatasourceType;

  @IsString()
  @IsNotEmpty()
  readonly runId: string;

  /** Grows with every run of the installation. A document's newest generation is the one that is searched. */
  @IsInt()
  @Min(1)
  readonly generation: number;

  /** Names the document inside its datastore: the caller's id, the custom id, the address or the file name. */
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

  @IsString()
  @IsNotEmpty()
  readonly mimeType: string;

  /** The address a reader can open, where there is one. */
  @IsOptional()
  @IsString()
  readonly source?: string;

  @IsOptional()
  @IsString()
  readonly customId?: string;

  @IsOptional()
  @IsObject()
  readonly metadata?: Readonly<Record<string, unknown>>;

  /** Absent: the datastore is searched by words alone. */
  @IsOptional()
  @ValidateNested()
  @Type(() => EmbeddingSettings)
  readonly embedding?: EmbeddingSettings;

  @ValidateNested()
  @Type(() => SplittingSettings)
  readonly splitting: SplittingSettings;
}

/** Remove every fragment of a datasource, and its blobs. */
export class RemoveDatasource {
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
export class RemoveDatastore {
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
  readonly 'remove-datasource': RemoveDatasource;
  readonly 'remove-datastore': RemoveDatastore;
};

export const ingestionQueue: QueueContract<IngestionJobs> = {
  name: 'ingestion',
  jobs: {
    'index-document': {
      payload: IndexDocument,
      id: (job) => `${job.runId}.${createHash('sha256').update(job.documentKey).digest('base64url')}`,
      ...STANDARD_RETRY,
    },
    'remove-datasource': { payload: RemoveDatasource, id: (job) => `remove.${job.datasourceId}`, ...STANDARD_RETRY },
    'remove-datastore': { payload: RemoveDatastore, id: (job) => `remove.${job.datastoreId}`, ...STANDARD_RETRY },
  },
  ...STANDARD_RETENTION,
};
