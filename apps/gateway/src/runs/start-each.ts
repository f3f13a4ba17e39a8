import type { Queries } from '../database/database.js';
import { redactQueryParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';

/** Defines how the run of one datasource is started, in a transaction of its own. */
export interface Starting<Candidate> {
  /** Resolves to true when it started a run. */
  readonly start: (tx: Queries, candidate: Candidate) => Promise<boolean>;
  /** The log message for a datasource whose run cannot be started. */
  readonly problem: string;
  /** Moves such a datasource to the end of the order. Absent: its place does not change. */
  readonly postpone?: (candidate: Candidate) => Promise<void>;
}

/**
 * Starts runs of datasources. One that cannot be started is logged, and does not delay the others.
 *
 * @returns how many were started
 */
export async function startEach<Candidate extends { readonly id: string }>(
  { db, log, outboxWritten }: Pick<Gateway, 'db' | 'log' | 'outboxWritten'>,
  candidates: readonly Candidate[],
  { start, problem, postpone }: Starting<Candidate>,
): Promise<number> {
  let started = 0;
  for (const candidate of candidates) {
    try {
      if (await db.transaction(async (tx) => start(tx, candidate))) started += 1;
    } catch (error) {
      log.error({ err: redactQueryParameters(error), datasourceId: candidate.id }, problem);
      await postpone?.(candidate);
    }
  }
  if (started > 0) outboxWritten.wake();
  return started;
}
