import type { AttemptError, DocumentOutcome, IndexDocument, Progress, ReasonCode, Stage } from '@quarry/contracts';
import { createRunReporter, type Reporting } from '@quarry/run-reporting';

/** Emits the events of one start of a document's job. */
export interface DocumentReporter {
  started(): void;
  progressed(stage: Stage, progress?: Progress): void;
  /** Stops to emit progress events. */
  stopped(): void;
  /** Emits the error of a failed attempt that will be repeated. */
  retrying(lastError: AttemptError): Promise<void>;
  /** Emits the outcome of the document. Resolves when the event is stored in the queue. */
  settled(end: DocumentEnd): Promise<void>;
}

export interface DocumentEnd {
  readonly outcome: Extract<DocumentOutcome, 'indexed' | 'unchanged' | 'failed'>;
  readonly code?: ReasonCode;
  readonly message?: string;
  readonly fragments?: number;
  readonly storedTokens?: number;
  /** Absent if there are none. */
  readonly truncatedFragments?: number;
}

/** Creates the reporter of a document's job. @param starts number of starts of the job, including this one */
export function createDocumentReporter(job: IndexDocument, starts: number, reporting: Reporting): DocumentReporter {
  return job.partOfRun === true
    ? createPartReporter(job, reporting)
    : createSingleDocumentReporter(job, starts, reporting);
}

function createSingleDocumentReporter(job: IndexDocument, starts: number, reporting: Reporting): DocumentReporter {
  const reporter = createRunReporter(reporting, job, { starts, phase: 'whole' });
  return {
    started: () => {
      reporter.started();
    },
    progressed: (stage, progress) => {
      reporter.progressed(stage, progress);
    },
    stopped: () => {
      reporter.stopped();
    },
    retrying: (lastError) => reporter.retrying(lastError),
    settled: (end) => reporter.settled(end),
  };
}

/** Creates a reporter that emits only the outcome of the document and retries, because its run has other documents. */
function createPartReporter(job: IndexDocument, { statuses, now }: Reporting): DocumentReporter {
  const { datasourceId, runId, documentKey, name, source, version } = job;
  return {
    started: () => undefined,
    progressed: () => undefined,
    stopped: () => undefined,
    retrying: (lastError) =>
      statuses.documentRetrying({ datasourceId, runId, documentKey, at: now().toISOString(), lastError }),
    settled: async (end) => {
      const isIndexed = end.outcome !== 'failed' && version !== undefined;
      await statuses.documentSettled({
        ...{ datasourceId, runId, documentKey, name, at: now().toISOString() },
        ...(source === undefined ? {} : { source }),
        ...(isIndexed ? { version } : {}),
        ...end,
      });
    },
  };
}
