import { hash } from 'node:crypto';
import { IsIn, IsInt, IsNotEmpty, IsOptional, IsString, Min, Type, ValidateNested } from '@quarry/validation';
import { STAGES, type Stage } from '../datasource/type-and-status.js';
import { AttemptError, DocumentRetrying } from './attempt-error.js';
import { DocumentSettled, RunEnumerated } from './document-settled.js';
import { buildDocumentJobId } from './ingestion.js';
import { DOCUMENT_RETENTION, STANDARD_RETRY, type QueueContract } from './queue-contract.js';
import { Counters, Progress, RunEvent } from './run-event.js';
import { StatusChanged, StatusesChanged } from './status-changed.js';

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

/**
 * Reports that an attempt of a job failed and that the job will be retried. The job is the one that processes the whole
 * run, not one of several documents.
 */
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

  /** Number of the attempt that has succeeded, from 1. Each attempt of a removal is confirmed separately. */
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

/**
 * Retry settings for more than a month, because the end of a run must be recorded even after a long outage of the
 * database.
 */
const UNTIL_RECORDED = { attempts: 200_000, backoff: { delayMs: 500, maxDelayMs: 30_000, jitter: 0.5 } } as const;

const buildEventId = (event: RunEvent): string => `${event.runId}.${event.sequence}`;
/**
 * Returns a job id that depends on all events of the job, because an event can be emitted again together with other
 * events.
 */
const buildBatchId = (events: readonly RunEvent[]): string =>
  `events.${hash('sha256', events.map(buildEventId).join(), 'base64url')}`;

export const datasourceStatusQueue: QueueContract<DatasourceStatusJobs> = {
  name: 'datasource-status',
  jobs: {
    'status-changed': { payload: StatusChanged, buildId: buildEventId, ...UNTIL_RECORDED },
    'statuses-changed': {
      payload: StatusesChanged,
      buildId: ({ changes }) => buildBatchId(changes),
      ...UNTIL_RECORDED,
    },
    'run-progressed': { payload: RunProgressed, buildId: buildEventId, ...STANDARD_RETRY },
    'run-retrying': { payload: RunRetrying, buildId: buildEventId, ...STANDARD_RETRY },
    'document-retrying': {
      payload: DocumentRetrying,
      buildId: (event) => `retrying.${buildDocumentJobId(event)}.${Date.parse(event.at)}`,
      ...STANDARD_RETRY,
    },
    'document-settled': {
      payload: DocumentSettled,
      buildId: (event) => `document.${buildDocumentJobId(event)}`,
      ...UNTIL_RECORDED,
    },
    'removal-done': {
      payload: RemovalDone,
      buildId: ({ removalId, attempt }) => `removal.${removalId}.${attempt}`,
      ...UNTIL_RECORDED,
    },
    'run-enumerated': { payload: RunEnumerated, buildId: (event) => `enumerated.${event.runId}`, ...UNTIL_RECORDED },
  },
  ...DOCUMENT_RETENTION,
};
