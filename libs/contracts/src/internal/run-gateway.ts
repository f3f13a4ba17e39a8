import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsISO8601,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  Min,
  Type,
  ValidateNested,
} from '@quarry/validation';
import type { ReasonCode } from '../datasource/reasons.js';
import { BlobRange } from '../queues/ingestion.js';

/** The maximum number of runs, keys or documents in one request. */
export const MAX_RUN_BATCH = 1_000;
/** The maximum size of a request's JSON. */
export const MAX_RUN_REQUEST_BYTES = 32 * 1_048_576;
/** The maximum size of a checkpoint's JSON. */
export const MAX_CHECKPOINT_BYTES = 65_536;

/** The maximum length of a document's key: an address that may be crawled. PostgreSQL indexes no text over 2,700 bytes. */
const MAX_DOCUMENT_KEY_LENGTH = 2_048;

export const RUN_STATES = ['wanted', 'cancelled', 'removed'] as const;
/**
 * - `wanted`: the run is under way.
 * - `cancelled`: the run has ended (cancelled, superseded, settled), so its remaining work is not needed.
 * - `removed`: the datasource is deleted, so nothing may be stored for it.
 */
export type RunState = (typeof RUN_STATES)[number];

/** Identifies a run of a datasource. */
export class RunRef {
  @IsString()
  @IsNotEmpty()
  readonly datasourceId: string;

  @IsString()
  @IsNotEmpty()
  readonly runId: string;
}

export class RunStatesRequest {
  @IsArray()
  @ArrayMaxSize(MAX_RUN_BATCH)
  @ValidateNested({ each: true })
  @Type(() => RunRef)
  readonly runs: readonly RunRef[];
}

export class RunStatesResponse {
  /** In the order of the request. */
  @IsArray()
  @IsIn(RUN_STATES, { each: true })
  readonly states: readonly RunState[];
}

export class OpenedRun {
  @IsIn(RUN_STATES)
  readonly state: RunState;

  /** The checkpoint that was last saved for this run. Absent: none was. */
  @IsOptional()
  @IsObject()
  readonly checkpoint?: Readonly<Record<string, unknown>>;
}

export class IndexedVersionsRequest {
  @IsString()
  @IsNotEmpty()
  readonly datasourceId: string;

  @IsArray()
  @ArrayMaxSize(MAX_RUN_BATCH)
  @IsString({ each: true })
  readonly documentKeys: readonly string[];
}

export class IndexedVersionsResponse {
  /**
   * In the order of the request: the version that the index confirmed; null for a document that is not indexed, and for one that
   * was recorded to be indexed again since then.
   */
  @IsArray()
  readonly versions: readonly (string | null)[];
}

/** A document that a run hands to ingestion. The gateway adds what it knows of the datasource and the run. */
export class DocumentToIndex {
  /** Unique inside its datasource. */
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_DOCUMENT_KEY_LENGTH)
  readonly documentKey: string;

  @IsString()
  readonly name: string;

  @IsString()
  @IsNotEmpty()
  readonly blobKey: string;

  /** The bytes of the blob that are this document. Absent: all of them. */
  @IsOptional()
  @ValidateNested()
  @Type(() => BlobRange)
  readonly blobPart?: BlobRange;

  @IsString()
  @IsNotEmpty()
  readonly mimeType: string;

  /** The address that a reader can open. */
  @IsOptional()
  @IsString()
  readonly source?: string;

  @IsOptional()
  @IsObject()
  readonly metadata?: Readonly<Record<string, unknown>>;

  /** The version of the content at its origin, stored when the index confirms the document. Absent: the origin has none. */
  @IsOptional()
  @IsString()
  readonly version?: string;
}

export const SETTLED_BY_FINDER = ['unchanged', 'failed', 'skipped'] as const;

/** A document that a run settles without ingestion. */
export class DocumentOutcomeFound {
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_DOCUMENT_KEY_LENGTH)
  readonly documentKey: string;

  @IsIn(SETTLED_BY_FINDER)
  readonly outcome: (typeof SETTLED_BY_FINDER)[number];

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

/** The documents that a crawl or a listing sync has found since its last call. */
export class RecordDocumentsRequest extends RunRef {
  /** When they were found, ISO 8601. */
  @IsISO8601()
  readonly at: string;

  @IsArray()
  @ArrayMaxSize(MAX_RUN_BATCH)
  @ValidateNested({ each: true })
  @Type(() => DocumentToIndex)
  readonly toIndex: readonly DocumentToIndex[];

  @IsArray()
  @ArrayMaxSize(MAX_RUN_BATCH)
  @ValidateNested({ each: true })
  @Type(() => DocumentOutcomeFound)
  readonly settled: readonly DocumentOutcomeFound[];

  /** Where the run continues after a restart. It replaces the earlier one in the same transaction. At most `MAX_CHECKPOINT_BYTES`. */
  @IsOptional()
  @IsObject()
  readonly checkpoint?: Readonly<Record<string, unknown>>;
}

export class RecordDocumentsResponse {
  /** Nothing is recorded unless it is `wanted`. */
  @IsIn(RUN_STATES)
  readonly state: RunState;

  /** Keys that the run has recorded before with another version. A run indexes a document once; the next run repeats them. */
  @IsArray()
  @IsString({ each: true })
  readonly deferred: readonly string[];

  /** Documents that the run has recorded so far, each counted once. */
  @IsInt()
  @Min(0)
  readonly documents: number;
}

/**
 * Answers what workers ask about runs, from the gateway's database. Its guarantees, each asserted by the conformance suite of
 * `@quarry/run-reporting`:
 *
 * - `recordDocuments` is idempotent: a document that the run has recorded before is not recorded again, in whatever state it is.
 * - When it returns, every document to index is durable: the gateway publishes its job, and repeats the job when it is lost.
 * - The versions that `indexedVersions` returns are those of documents that the index has confirmed, never of documents that
 *   were only enqueued.
 *
 * Every method throws `TryLater` while the gateway is unavailable.
 */
export interface RunGateway {
  /** Returns the states, in the order of `runs`. */
  runStates(runs: readonly RunRef[]): Promise<readonly RunState[]>;
  /** Returns the state of a run, and the checkpoint that an earlier start has saved. */
  openRun(run: RunRef): Promise<OpenedRun>;
  indexedVersions(request: IndexedVersionsRequest): Promise<readonly (string | null)[]>;
  recordDocuments(request: RecordDocumentsRequest): Promise<RecordDocumentsResponse>;
}

/** The paths at which a gateway serves `RunGateway`, each with POST and a JSON body. */
export const RUN_GATEWAY_PATHS = {
  runStates: '/internal/runs/states',
  openRun: '/internal/runs/open',
  indexedVersions: '/internal/runs/versions',
  recordDocuments: '/internal/runs/documents',
} as const;
