import {
  NO_COUNTERS,
  type DocumentOutcome,
  type IndexDocument,
  type Progress,
  type SettledStatus,
  type Stage,
  type ReasonCode,
} from '@quarry/contracts';
import type { Statuses } from './statuses.js';

/** How the gateway hears of a document. */
export interface RunReport {
  /** Says so unless the document comes to its end at once: nobody could see that it was under way. */
  started(): void;
  /** Says the latest once a second, not in the first one, and never fails: the next one says more. */
  progressed(stage: Stage, progress?: Progress): void;
  /** The document has come to its end. The last word of this start. */
  settled(end: DocumentEnd): Promise<void>;
}

export interface DocumentEnd {
  readonly outcome: Extract<DocumentOutcome, 'indexed' | 'unchanged' | 'failed'>;
  readonly code?: ReasonCode;
  readonly message?: string;
  readonly fragments?: number;
  readonly storedTokens?: number;
}

export interface Reporting {
  readonly statuses: Statuses;
  readonly now: () => Date;
}

/** Sequence numbers that one start of a job may use, so that those of the next start are greater. */
const SEQUENCES_PER_START = 10_000;
const LAST_SEQUENCE = SEQUENCES_PER_START - 1;
const PROGRESS_EVERY_MS = 1_000;
const AT_ONCE_MS = 200;

/** @param starts how often the job was started */
export function reportOn(job: IndexDocument, starts: number, reporting: Reporting): RunReport {
  return job.partOfRun === true ? reportOnDocument(job, reporting) : reportOnRun(job, starts, reporting);
}

/** The document is the whole run: its events are the run's. */
function reportOnRun(job: IndexDocument, starts: number, { statuses, now }: Reporting): RunReport {
  const { datasourceId, runId } = job;
  const first = starts * SEQUENCES_PER_START;
  const event = (place: number) => ({ datasourceId, runId, sequence: first + place, at: now().toISOString() });
  let place = 0;
  // Most documents are done before anyone could look how far they are.
  let lastProgress = now().getTime();
  let latest: { readonly stage: Stage; readonly progress?: Progress } | undefined;
  let tellingLatest: NodeJS.Timeout | undefined;
  const tellLatest = (): void => {
    tellingLatest = undefined;
    if (latest === undefined || place + 1 >= LAST_SEQUENCE) return;
    lastProgress = now().getTime();
    place += 1;
    statuses.progressed({ ...event(place), ...latest }).catch(() => undefined);
  };
  let started: { readonly at: string; readonly telling: NodeJS.Timeout } | undefined;
  return {
    started: () => {
      place += 1;
      const told = { ...event(place), status: 'running' as const };
      // What fails before it is told is settled by another report: the gateway takes no word of a run after its end.
      const tell = (): void => void statuses.changed(told).catch(() => undefined);
      started = { at: told.at, telling: setTimeout(tell, AT_ONCE_MS) };
    },
    progressed: (stage, progress) => {
      latest = { stage, ...(progress === undefined ? {} : { progress }) };
      const due = lastProgress + PROGRESS_EVERY_MS - now().getTime();
      if (due > 0) tellingLatest ??= setTimeout(tellLatest, due);
      else {
        clearTimeout(tellingLatest);
        tellLatest();
      }
    },
    settled: async ({ outcome, ...end }) => {
      clearTimeout(started?.telling);
      clearTimeout(tellingLatest);
      await statuses.changed({
        ...event(LAST_SEQUENCE),
        ...(started === undefined ? {} : { startedAt: started.at }),
        status: statusOf(outcome, end.code),
        counters: { ...NO_COUNTERS, discovered: 1, fetched: 1, [outcome]: 1 },
        ...end,
      });
    },
  };
}

/** One that found no room waits for room: it is not the document's fault. */
function statusOf(outcome: DocumentEnd['outcome'], code: ReasonCode | undefined): SettledStatus {
  if (outcome !== 'failed') return 'synched';
  return code === 'usage_limit_reached' ? 'usage_limit_reached' : 'error';
}

/** The document is one of several: only its end is told. */
function reportOnDocument(job: IndexDocument, { statuses, now }: Reporting): RunReport {
  const { datasourceId, runId, documentKey, name, source } = job;
  return {
    started: () => undefined,
    progressed: () => undefined,
    settled: async (end) => {
      const document = { datasourceId, runId, documentKey, name, ...(source === undefined ? {} : { source }) };
      await statuses.documentSettled({ ...document, at: now().toISOString(), ...end });
    },
  };
}
