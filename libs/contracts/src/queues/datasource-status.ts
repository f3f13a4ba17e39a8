import { hash } from 'node:crypto';
import {
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsISO8601,
  IsNotEmpty,
  IsOptional,
  IsString,
  Min,
  Type,
  ValidateNested,
} from '@quarry/validation';
import { PageConfidence } from '../datasource/page-confidence.js';
import {
  SETTLED_STATUSES,
  STAGES,
  type RunCounters,
  type SettledStatus,
  type Stage,
} from '../datasource/type-and-status.js';
import type { ReasonCode } from '../datasource/reasons.js';
import { AttemptError, DocumentRetrying } from './attempt-error.js';
import { DocumentSettled, RunEnumerated } from './document-settled.js';
import { createDocumentJobId } from './ingestion.js';
import { DOCUMENT_RETENTION, STANDARD_RETRY, type QueueContract } from './queue-contract.js';

/** Counts the documents of a run, as running totals. */
export class Counters implements RunCounters {
  @IsInt() @Min(0) readonly discovered: number;
  @IsInt() @Min(0) readonly fetched: number;
  @IsInt() @Min(0) readonly indexed: number;
  @IsInt() @Min(0) readonly unchanged: number;
  @IsInt() @Min(0) readonly removed: number;
  @IsInt() @Min(0) readonly failed: number;
  @IsInt() @Min(0) readonly skipped: number;
}

/** Describes the progress of a stage, such as 40 of 600 pages. `total` is absent while it is unknown. */
export class Progress {
  @IsInt() @Min(0) readonly done: number;

  @IsOptional()
  @IsInt()
  @Min(0)
  readonly total?: number;

  @IsString()
  readonly unit: string;
}

/** Identifies the run of an event and the position of the event in that run. */
export class RunEvent {
  @IsString()
  @IsNotEmpty()
  readonly datasourceId: string;

  @IsString()
  @IsNotEmpty()
  readonly runId: string;

  /** Increases with every event of a run, across all attempts. */
  @IsInt()
  @Min(1)
  readonly sequence: number;

  /** Holds the time of the event, ISO 8601. */
  @IsISO8601()
  readonly at: string;
}

export const RUN_JOB_OUTCOMES = ['indexed', 'unchanged', 'failed', 'skipped', 'read_failed'] as const;
/**
 * Names the outcome of the last job of a run.
 *
 * - `read_failed`: the job that finds the documents of the run has failed.
 * - The others: the only document of the run has settled.
 */
export type RunJobOutcome = (typeof RUN_JOB_OUTCOMES)[number];

/** Reports that the run has started (`running`), or that its last job has ended. */
export class StatusChanged extends RunEvent {
  /** Final events are settled. Earlier gateways store this status. Later ones derive the status of the run from `outcome`. */
  @IsIn(['running', ...SETTLED_STATUSES])
  readonly status: 'running' | SettledStatus;

  /** Present in final events, except those of earlier workers. The gateway decides the status of the run from it. */
  @IsOptional()
  @IsIn(RUN_JOB_OUTCOMES)
  readonly outcome?: RunJobOutcome;

  /** Holds the start time of the run, ISO 8601. Final events include it, because a short run emits no start event. */
  @IsOptional()
  @IsISO8601()
  readonly startedAt?: string;

  /** Names the reason for a failure. Stable and documented, such as `file_encrypted`. */
  @IsOptional()
  @IsString() // accepts codes of newer workers
  readonly code?: ReasonCode;

  /** Explains `code` to users. */
  @IsOptional()
  @IsString()
  readonly message?: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => Counters)
  readonly counters?: Counters;

  /** Number of tokens in the current fragments of the datasource. */
  @IsOptional()
  @IsInt()
  @Min(0)
  readonly storedTokens?: number;

  /** Number of current fragments of the datasource. */
  @IsOptional()
  @IsInt()
  @Min(0)
  readonly fragments?: number;

  /** Number of fragments whose text exceeded the input limit of the embedding model and was truncated. Absent: none. */
  @IsOptional()
  @IsInt()
  @Min(1)
  readonly truncatedFragments?: number;

  /** Number of pages with text that could not be decoded. Absent: none. */
  @IsOptional()
  @IsInt()
  @Min(1)
  readonly undecodedPages?: number;

  /** Number of pages that are images and whose text was not recognized. Absent: none. */
  @IsOptional()
  @IsInt()
  @Min(1)
  readonly imagePages?: number;

  /** Number of pages whose text was recognized in their image. Absent: none. */
  @IsOptional()
  @IsInt()
  @Min(1)
  readonly recognizedPages?: number;

  /** Mean confidence of the recognized words in percent. Absent if no word was recognized. */
  @IsOptional()
  @IsInt()
  @Min(0)
  readonly recognitionConfidence?: number;

  /** The confidence of the pages with recognized words, by page number. Of many pages, those with the lowest. Absent: none. */
  @IsOptional()
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => PageConfidence)
  readonly pageConfidences?: readonly PageConfidence[];

  /** Number of pages of the document. Absent if it has none. */
  @IsOptional()
  @IsInt()
  @Min(1)
  readonly pages?: number;
}

/** Reports several status changes of about the same time in one message. */
export class StatusesChanged {
  @IsArray()
  @ArrayMinSize(1)
  @ValidateNested({ each: true })
  @Type(() => StatusChanged)
  readonly changes: readonly StatusChanged[];
}

/** Reports the progress of a run. */
export class RunProgressed extends RunEvent {
  @IsIn(STAGES)
  readonly stage: Stage;

  @IsOptional()
  @ValidateNested()
  @Type(() => Progress)
  readonly progress?: Progress;

  @IsOptional()
  @ValidateNested()
  @Type(() => Counters)
  readonly counters?: Counters;
}

/** Reports that an attempt of the run's own job failed and will be retried. */
export class RunRetrying extends RunEvent {
  @ValidateNested()
  @Type(() => AttemptError)
  readonly lastError: AttemptError;
}

/** Reports that deleted content was removed from the fragment store and the blob store. */
export class RemovalDone {
  @IsString()
  @IsNotEmpty()
  readonly removalId: string;

  /** Number of the attempt. Each attempt of a removal is confirmed separately. */
  @IsInt()
  @Min(1)
  readonly attempt: number;
}

export type DatasourceStatusJobs = {
  readonly 'status-changed': StatusChanged;
  readonly 'statuses-changed': StatusesChanged;
  readonly 'run-progressed': RunProgressed;
  readonly 'run-retrying': RunRetrying;
  readonly 'document-settled': DocumentSettled;
  readonly 'document-retrying': DocumentRetrying;
  readonly 'run-enumerated': RunEnumerated;
  readonly 'removal-done': RemovalDone;
};

/** Retries for more than a month, because the end of a run must be recorded however long the database is unavailable. */
const UNTIL_RECORDED = { attempts: 200_000, backoff: { delayMs: 500, maxDelayMs: 30_000, jitter: 0.5 } } as const;

const createEventId = (event: RunEvent): string => `${event.runId}.${event.sequence}`;
/** Creates the job id from all events, because a repeated event can arrive together with other ones. */
const createBatchId = (events: readonly RunEvent[]): string =>
  `events.${hash('sha256', events.map(createEventId).join(), 'base64url')}`;

export const datasourceStatusQueue: QueueContract<DatasourceStatusJobs> = {
  name: 'datasource-status',
  jobs: {
    'status-changed': { payload: StatusChanged, id: createEventId, ...UNTIL_RECORDED },
    'statuses-changed': { payload: StatusesChanged, id: ({ changes }) => createBatchId(changes), ...UNTIL_RECORDED },
    'run-progressed': { payload: RunProgressed, id: createEventId, ...STANDARD_RETRY },
    'run-retrying': { payload: RunRetrying, id: createEventId, ...STANDARD_RETRY },
    'document-retrying': {
      payload: DocumentRetrying,
      id: (event) => `retrying.${createDocumentJobId(event)}.${Date.parse(event.at)}`,
      ...STANDARD_RETRY,
    },
    'document-settled': {
      payload: DocumentSettled,
      id: (event) => `document.${createDocumentJobId(event)}`,
      ...UNTIL_RECORDED,
    },
    'removal-done': {
      payload: RemovalDone,
      id: ({ removalId, attempt }) => `removal.${removalId}.${attempt}`,
      ...UNTIL_RECORDED,
    },
    'run-enumerated': { payload: RunEnumerated, id: (event) => `enumerated.${event.runId}`, ...UNTIL_RECORDED },
  },
  ...DOCUMENT_RETENTION,
};
