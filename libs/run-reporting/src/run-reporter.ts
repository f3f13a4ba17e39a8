import {
  type AttemptError,
  NO_COUNTERS,
  type PageConfidence,
  type Progress,
  type ReasonCode,
  type RunCounters,
  type RunJobOutcome,
  type RunRef,
  type SettledStatus,
  type Stage,
} from '@quarry/contracts';
import type { StatusEmitter } from './status-emitter.js';

export interface Reporting {
  readonly statuses: StatusEmitter;
  readonly now: () => Date;
}

/**
 * Holds the fields that the payloads of all jobs of runs have: the ids of the run, and the number of repetitions of the
 * job.
 */
export interface ReportedJob extends RunRef {
  /** Number of times that the job was lost and enqueued again. Absent: 0. */
  readonly repeat?: number;
}

/** Describes the outcome of the last job of a run, from which the gateway derives the status of the run. */
export interface RunEnd {
  readonly outcome: RunJobOutcome;
  readonly code?: ReasonCode;
  readonly message?: string;
  readonly fragments?: number;
  readonly storedTokens?: number;
  readonly truncatedFragments?: number;
  readonly undecodedPages?: number;
  readonly recognizedPages?: number;
  readonly recognitionConfidence?: number;
  readonly pageConfidences?: readonly PageConfidence[];
  readonly pages?: number;
}

/** Emits the events of a run to the gateway. A reporter is used for only one start of the job of the run. */
export interface RunReporter {
  /** Emits `running` after 200 ms, so that a short job emits only its final event. */
  reportStart(): void;
  /**
   * Emits the latest progress at most once per second, and not in the first second. Never throws, because a later event
   * replaces an event that cannot be emitted.
   */
  reportProgress(stage: Stage, progress?: Progress, counters?: RunCounters): void;
  /** Cancels those `running` and progress events that are delayed and were not emitted yet. */
  cancelDelayedEvents(): void;
  /**
   * Emits that this start of the job has failed with an error, and that the job will be retried. This is the last event
   * of the start. Resolves when the queue has stored the event.
   */
  reportRetry(lastError: AttemptError): Promise<void>;
  /**
   * Emits the outcome of the job. This is the last event of the start. Resolves when the queue has stored the event.
   */
  reportEnd(end: RunEnd): Promise<void>;
}

const PROGRESS_INTERVAL_MS = 1_000;
const RUNNING_DELAY_MS = 200;

interface LatestProgress {
  readonly stage: Stage;
  readonly progress?: Progress;
  readonly counters?: RunCounters;
}

/** Creates the reporter for one start of a job. `computeEventNumbers` determines the sequence numbers of the events. */
export function createRunReporter(
  { statuses, now }: Reporting,
  { datasourceId, runId, repeat }: ReportedJob,
  start: Omit<JobStart, 'repeat'>,
): RunReporter {
  const { first, last } = computeEventNumbers({ ...start, repeat });
  let next = first;
  const createEvent = (sequence: number) => ({ datasourceId, runId, sequence, at: now().toISOString() });
  let progressAt = now().getTime();
  let latest: LatestProgress | undefined;
  let progressTimer: NodeJS.Timeout | undefined;
  let running: { readonly at: string; readonly timer: NodeJS.Timeout } | undefined;

  const emitProgress = (): void => {
    progressTimer = undefined;
    if (latest === undefined || next >= last) return;
    progressAt = now().getTime();
    statuses.emitProgress({ ...createEvent(next), ...latest }).catch(() => undefined);
    next += 1;
  };
  const cancelDelayedEvents = (): void => {
    clearTimeout(running?.timer);
    clearTimeout(progressTimer);
  };
  return {
    cancelDelayedEvents,
    reportStart: () => {
      const change = { ...createEvent(next), status: 'running' as const };
      next += 1;
      // The error can be ignored, because the final event contains `startedAt`, too.
      const emitRunning = (): void => void statuses.emitStatusChange(change).catch(() => undefined);
      running = { at: change.at, timer: setTimeout(emitRunning, RUNNING_DELAY_MS) };
    },
    reportProgress: (stage, progress, counters) => {
      latest = { stage, ...(progress && { progress }), ...(counters && { counters }) };
      const wait = progressAt + PROGRESS_INTERVAL_MS - now().getTime();
      if (wait > 0) {
        progressTimer ??= setTimeout(emitProgress, wait);
        return;
      }
      clearTimeout(progressTimer);
      emitProgress();
    },
    reportRetry: async (lastError) => {
      cancelDelayedEvents();
      await statuses.emitRetry({ ...createEvent(last), lastError });
    },
    reportEnd: async (end) => {
      cancelDelayedEvents();
      const startedAt = running && { startedAt: running.at };
      await statuses.emitStatusChange({
        ...createEvent(last),
        ...startedAt,
        ...createFieldsForEarlierGateways(end),
        ...end,
      });
    },
  };
}

/**
 * Describes the range of sequence numbers for the events of one start of a job, from `first` to `last`, both included.
 */
export interface EventNumbers {
  readonly first: number;
  /** Sequence number of the final event of the start, greater than the numbers of all other events of the start. */
  readonly last: number;
}

/**
 * Names the part of a run that a job performs.
 *
 * - `fetching-one`: the job fetches the one document of the run, and another job indexes it.
 * - `whole`: every other job.
 */
export type RunPhase = 'fetching-one' | 'whole';

/**
 * Number of sequence numbers that are reserved each time a job is enqueued. For a job that is enqueued up to four
 * times, the numbers fit into an `integer` of PostgreSQL.
 */
const PER_REPEAT = 500_000_000;
const PER_START = 10_000;
const MAX_START = PER_REPEAT / PER_START - 2;
const PER_FETCHING_START = 100;
const MAX_FETCHING_START = PER_START / PER_FETCHING_START - 1;

/**
 * Returns the sequence numbers for one start of a job. All jobs of a run use this function: the gateway ignores an
 * event unless its number exceeds that of the last accepted event.
 *
 * - A job that was lost and enqueued again has greater numbers than the lost job, which may still be running.
 * - A later start of a job has greater numbers than an earlier start, up to start 99 of a job that fetches the one
 *   document of its run, and up to start 49,998 of any other job.
 * - The job that indexes a document has greater numbers (from 10,000) than the job that fetches it (below 10,000).
 */
export function computeEventNumbers({ starts, repeat = 0, phase }: JobStart): EventNumbers {
  const base = repeat * PER_REPEAT;
  if (phase === 'whole') {
    const start = base + Math.min(starts, MAX_START) * PER_START;
    return { first: start + 1, last: start + PER_START - 1 };
  }
  const start = base + Math.min(starts, MAX_FETCHING_START) * PER_FETCHING_START;
  return { first: start, last: start + PER_FETCHING_START - 1 };
}

/** Describes one start of a job of a run. */
export interface JobStart {
  /** Number of starts of the job, including this one. */
  readonly starts: number;
  /** Number of times that the job was lost and enqueued again (`SyncJob.repeat`). Absent: 0. */
  readonly repeat?: number | undefined;
  readonly phase: RunPhase;
}

/** Describes the fields of a final event for gateways of versions that do not read the field `outcome`. */
interface EarlierFields {
  readonly status: SettledStatus;
  readonly counters?: RunCounters;
}

/**
 * Returns the fields of a final event that only gateways of earlier versions read. The fields are needed during an
 * upgrade, while the version of the worker is newer than that of the gateway.
 */
export function createFieldsForEarlierGateways(end: {
  readonly outcome: RunJobOutcome;
  readonly code?: string;
}): EarlierFields {
  const { outcome, code } = end;
  if (outcome === 'read_failed') return { status: 'error' };
  const counters = { ...NO_COUNTERS, discovered: 1, fetched: 1, [outcome]: 1 };
  if (outcome !== 'failed') return { status: 'synched', counters };
  return { status: code === 'usage_limit_reached' ? code : 'error', counters };
}
