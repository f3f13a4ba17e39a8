import type { AttemptError, Progress, ReasonCode, RunCounters, RunJobOutcome, RunRef, Stage } from '@quarry/contracts';
import { fieldsForEarlierGateways } from './earlier-gateways.js';
import { eventNumbers, type JobStart } from './event-numbers.js';
import type { Statuses } from './statuses.js';

export interface Reporting {
  readonly statuses: Statuses;
  readonly now: () => Date;
}

/** Identifies the run of a job's payload. */
export interface ReportedJob extends RunRef {
  /** Number of times that the job was lost and enqueued again. Absent: 0. */
  readonly repeat?: number;
}

/** Describes how the last job of a run ended. The gateway decides the status of the run. */
export interface RunEnd {
  readonly outcome: RunJobOutcome;
  readonly code?: ReasonCode;
  readonly message?: string;
  readonly fragments?: number;
  readonly storedTokens?: number;
  readonly truncatedFragments?: number;
}

/** Emits the events of one start of a run's job. */
export interface RunReporter {
  /** Emits `running` after 200 ms, so that a short job emits only its final event. */
  started(): void;
  /**
   * Emits the latest progress at most once per second, and not in the first second. Never throws, because a later event contains
   * more.
   */
  progressed(stage: Stage, progress?: Progress, counters?: RunCounters): void;
  /** Cancels delayed events. */
  stopped(): void;
  /** Emits why this start failed, as its last event. Resolves when the queue has stored it. */
  retrying(lastError: AttemptError): Promise<void>;
  /** Emits the final event of this start. Resolves when the queue has stored it. */
  settled(end: RunEnd): Promise<void>;
}

const PROGRESS_INTERVAL_MS = 1_000;
const RUNNING_DELAY_MS = 200;

interface LatestProgress {
  readonly stage: Stage;
  readonly progress?: Progress;
  readonly counters?: RunCounters;
}

/** Creates the reporter for one start of a job. The numbers of its events are those of `eventNumbers`. */
export function createRunReporter(
  { statuses, now }: Reporting,
  { datasourceId, runId, repeat }: ReportedJob,
  start: Omit<JobStart, 'repeat'>,
): RunReporter {
  const { first, last } = eventNumbers({ ...start, repeat });
  let next = first;
  const event = (sequence: number) => ({ datasourceId, runId, sequence, at: now().toISOString() });
  let progressAt = now().getTime();
  let latest: LatestProgress | undefined;
  let progressTimer: NodeJS.Timeout | undefined;
  let running: { readonly at: string; readonly timer: NodeJS.Timeout } | undefined;

  const emitProgress = (): void => {
    progressTimer = undefined;
    if (latest === undefined || next >= last) return;
    progressAt = now().getTime();
    statuses.progressed({ ...event(next), ...latest }).catch(() => undefined);
    next += 1;
  };
  const stopped = (): void => {
    clearTimeout(running?.timer);
    clearTimeout(progressTimer);
  };
  return {
    stopped,
    started: () => {
      const change = { ...event(next), status: 'running' as const };
      next += 1;
      // The final event carries `startedAt`, so that nothing is lost with this one.
      const emit = (): void => void statuses.changed(change).catch(() => undefined);
      running = { at: change.at, timer: setTimeout(emit, RUNNING_DELAY_MS) };
    },
    progressed: (stage, progress, counters) => {
      latest = { stage, ...(progress && { progress }), ...(counters && { counters }) };
      const wait = progressAt + PROGRESS_INTERVAL_MS - now().getTime();
      if (wait > 0) {
        progressTimer ??= setTimeout(emitProgress, wait);
        return;
      }
      clearTimeout(progressTimer);
      emitProgress();
    },
    retrying: async (lastError) => {
      stopped();
      await statuses.retrying({ ...event(last), lastError });
    },
    settled: async (end) => {
      stopped();
      const startedAt = running && { startedAt: running.at };
      await statuses.changed({ ...event(last), ...startedAt, ...fieldsForEarlierGateways(end), ...end });
    },
  };
}
