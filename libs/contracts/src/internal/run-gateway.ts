import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsISO8601,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  Min,
  Type,
  ValidateNested,
} from '@quarry/validation';
import type { IndexDocument } from '../queues/ingestion.js';
import { DocumentOutcomeFound, DocumentToIndex } from './found-documents.js';

/** Maximum number of runs, document keys or documents in one request to the gateway. */
export const MAX_RUN_BATCH = 1_000;
/** Maximum size of the JSON of a request to the gateway, in bytes. */
export const MAX_RUN_REQUEST_BYTES = 32 * 1_048_576;
/** Maximum size of the JSON of a checkpoint of a run, in bytes. */
export const MAX_CHECKPOINT_BYTES = 65_536;

export const RUN_STATES = ['wanted', 'cancelled', 'removed'] as const;
/**
 * States whether the work of a run is still needed.
 *
 * - `wanted`: the run is in progress.
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
  /** Lists the states of the requested runs, in the order of the request. */
  @IsArray()
  @IsIn(RUN_STATES, { each: true })
  readonly states: readonly RunState[];
}

export class RunStateResponse {
  @IsIn(RUN_STATES)
  readonly state: RunState;
}

export class OpenedRun {
  @IsIn(RUN_STATES)
  readonly state: RunState;

  /** Holds the last stored checkpoint of the run. Absent: the run has stored none. */
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

  /**
   * True: for a document whose latest version is invalid (`item_invalid`), the response contains that version. An
   * incremental sync thus recognizes the invalid items that an earlier run has reported. Absent: false.
   */
  @IsOptional()
  @IsBoolean()
  readonly includeInvalid?: boolean;
}

export class IndexedVersionsResponse {
  /**
   * Lists the indexed versions of the documents, in the order of the request. Null for a document that is not indexed,
   * and for a document that a run has recorded for reindexing and that has not settled yet.
   */
  @IsArray()
  readonly versions: readonly (string | null)[];
}

/** Describes the documents that a crawl or a listing sync has found since its last call of `recordDocuments`. */
export class RecordDocumentsRequest extends RunRef {
  /** Holds the time at which the documents were found, ISO 8601. */
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

  /**
   * Holds the position from which the run resumes after a restart. The gateway stores it in the transaction that
   * records the documents. Maximum size: `MAX_CHECKPOINT_BYTES`.
   */
  @IsOptional()
  @IsObject()
  readonly checkpoint?: Readonly<Record<string, unknown>>;
}

export class RecordDocumentsResponse {
  /** Holds the state of the run. The documents were recorded only if the state is `wanted`. */
  @IsIn(RUN_STATES)
  readonly state: RunState;

  /**
   * Lists the keys of documents that the run has already recorded with another version. The run does not index them
   * again, so the next run must read them.
   */
  @IsArray()
  @IsString({ each: true })
  readonly deferred: readonly string[];

  /** Number of distinct documents that the run has recorded so far. */
  @IsInt()
  @Min(0)
  readonly documents: number;
}

/**
 * Gives workers access to the runs in the database of the gateway. The conformance suite of `@quarry/run-reporting`
 * asserts these guarantees:
 *
 * - `recordDocuments` is idempotent: it records a document of a run once, whatever the state of the document.
 * - When `recordDocuments` returns, the documents to index are durable. If a job is lost, the gateway enqueues the job
 *   again.
 * - `readIndexedVersions` returns only versions that the index has confirmed, and, on request, versions that a run has
 *   found to be invalid. It never returns versions of merely enqueued documents.
 * - `enqueueDocument` is idempotent: the index receives a document of a run once. After `enqueueDocument` returns, the
 *   job is durable.
 *
 * Every method throws `TryLater` while the gateway is unavailable.
 */
export interface RunGateway {
  /** Returns the states of runs, in the order of `runs`. */
  readRunStates(runs: readonly RunRef[]): Promise<readonly RunState[]>;
  /** Returns the state of a run and its last stored checkpoint. */
  openRun(run: RunRef): Promise<OpenedRun>;
  readIndexedVersions(request: IndexedVersionsRequest): Promise<readonly (string | null)[]>;
  recordDocuments(request: RecordDocumentsRequest): Promise<RecordDocumentsResponse>;
  /**
   * Enqueues the ingestion job of the only document of a run, such as a web page.
   *
   * @returns the state of the run; the document is enqueued only if the state is `wanted`
   */
  enqueueDocument(job: IndexDocument): Promise<RunState>;
}

/** Lists the paths at which a gateway serves `RunGateway`. Each accepts POST with a JSON body. */
export const RUN_GATEWAY_PATHS = {
  runStates: '/internal/runs/states',
  openRun: '/internal/runs/open',
  indexedVersions: '/internal/runs/versions',
  recordDocuments: '/internal/runs/documents',
  enqueueDocument: '/internal/runs/document',
} as const;
