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
import {
  SETTLED_STATUSES,
  STAGES,
  type RunCounters,
  type SettledStatus,
  type Stage,
} from '../datasource/datasource.js';
import type { ReasonCode } from '../datasource/reasons.js';
import { AttemptError, DocumentRetrying } from './attempt-error.js';
import { DocumentSettled, RunEnumerated } from './document-settled.js';
import { documentJobId } from './ingestion.js';
import { STANDARD_RETENTION, STANDARD_RETRY, type QueueContract } from './queue-contract.js';

/** Running totals of a run's documents. */
export class Counters implements RunCounters {
  @IsInt() @Min(0) readonly discovered: number;
  @IsInt() @Min(0) readonly fetched: number;
  @IsInt() @Min(0) readonly indexed: number;
  @IsInt() @Min(0) readonly unchanged: number;
  @IsInt() @Min(0) readonly removed: number;
  @IsInt() @Min(0) readonly failed: number;
  @IsInt() @Min(0) readonly skipped: number;
}

/** How far the work on a stage has come, such as 40 of 600 pages. `total` is absent while it is not known. */
export class Progress {
  @IsInt() @Min(0) readonly done: number;

  @IsOptional()
  @IsInt()
  @Min(0)
  readonly total?: number;

  @IsString()
  readonly unit: string;
}

/** Which run an event tells of, and its place among the run's events. */
export class RunEvent {
  @IsString()
  @IsNotEmpty()
  readonly datasourceId: string;

  @IsString()
  @IsNotEmpty()
  readonly runId: string;

  /** Grows with every event of a run, over all of its attempts. */
  @IsInt()
  @Min(1)
  readonly sequence: number;

  /** When it happened, ISO 8601. */
  @IsISO8601()
  readonly at: string;
}

/** The run has started (`running`), or has ended in a settled status. */
export class StatusChanged extends RunEvent {
  @IsIn(['running', ...SETTLED_STATUSES])
  readonly status: 'running' | SettledStatus;

  /** When the run began, with its end: that it began may not have been told. ISO 8601. */
  @IsOptional()
  @IsISO8601()
  readonly startedAt?: string;

  /** Why it ended in `error` or `usage_limit_reached`: stable and documented, such as `file_encrypted`. */
  @IsOptional()
  @IsString() // one that a newer worker knows is taken, too
  readonly code?: ReasonCode;

  /** The same for people. */
  @IsOptional()
  @IsString()
  readonly message?: string;

  @IsOptional()
  @ValidateNested()
  @Type(() => Counters)
  readonly counters?: Counters;

  /** Tokens that the datasource's fragments hold now. */
  @IsOptional()
  @IsInt()
  @Min(0)
  readonly storedTokens?: number;

  /** Fragments that the datasource holds now. */
  @IsOptional()
  @IsInt()
  @Min(0)
  readonly fragments?: number;

  /** How many of its fragments were embedded by their beginnings, because the model accepts no longer text. Absent: none. */
  @IsOptional()
  @IsInt()
  @Min(1)
  readonly truncatedFragments?: number;
}

/** Several runs have started or ended at much the same time. */
export class StatusesChanged {
  @IsArray()
  @ArrayMinSize(1)
  @ValidateNested({ each: true })
  @Type(() => StatusChanged)
  readonly changes: readonly StatusChanged[];
}

/** The run is under way, and has come this far. */
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

/** An attempt of the run's own job failed, and will be repeated. */
export class RunRetrying extends RunEvent {
  @ValidateNested()
  @Type(() => AttemptError)
  readonly lastError: AttemptError;
}

/** Deleted content is no longer in the fragment store, nor are its blobs. */
export class RemovalDone {
  @IsString()
  @IsNotEmpty()
  readonly removalId: string;

  /** Of the removal: each that ends is confirmed by itself. */
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

/** The end of a run must be recorded, however long the database is unavailable: attempts suffice for more than a month. */
const UNTIL_RECORDED = { attempts: 200_000, backoff: { delayMs: 500, maxDelayMs: 30_000, jitter: 0.5 } } as const;

const eventId = (event: RunEvent): string => `${event.runId}.${event.sequence}`;
/** Of all of them: the same one can be told again beside others. */
const eventsId = (events: readonly RunEvent[]): string =>
  `events.${hash('sha256', events.map(eventId).join(), 'base64url')}`;

export const datasourceStatusQueue: QueueContract<DatasourceStatusJobs> = {
  name: 'datasource-status',
  jobs: {
    'status-changed': { payload: StatusChanged, id: eventId, ...UNTIL_RECORDED },
    'statuses-changed': { payload: StatusesChanged, id: ({ changes }) => eventsId(changes), ...UNTIL_RECORDED },
    'run-progressed': { payload: RunProgressed, id: eventId, ...STANDARD_RETRY },
    'run-retrying': { payload: RunRetrying, id: eventId, ...STANDARD_RETRY },
    'document-retrying': {
      payload: DocumentRetrying,
      id: (event) => `retrying.${documentJobId(event)}.${Date.parse(event.at)}`,
      ...STANDARD_RETRY,
    },
    'document-settled': {
      payload: DocumentSettled,
      id: (event) => `document.${documentJobId(event)}`,
      ...UNTIL_RECORDED,
    },
    'removal-done': {
      payload: RemovalDone,
      id: ({ removalId, attempt }) => `removal.${removalId}.${attempt}`,
      ...UNTIL_RECORDED,
    },
    'run-enumerated': { payload: RunEnumerated, id: (event) => `enumerated.${event.runId}`, ...UNTIL_RECORDED },
  },
  ...STANDARD_RETENTION,
};
