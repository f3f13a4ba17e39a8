import type { Queries } from '../../database/database.js';
import { redactQueryParameters } from '../../database/query-error.js';
import type { Gateway } from '../../gateway.js';

/** Defines how the run of each datasource is started, and how a failure is handled. */
export interface StartOptions<Candidate> {
  /** Starts the run in a transaction of its own. Resolves to true if a run was started. */
  readonly start: (tx: Queries, candidate: Candidate) => Promise<boolean>;
  /** The log message for a datasource whose run cannot be started. */
  readonly problem: string;
  /**
   * Delays the next attempt to start a run that could not be started, so that runs of other datasources start first.
   * Absent: the time of the next attempt does not change.
   */
  readonly postpone?: (candidate: Candidate) => Promise<void>;
}

/**
 * Starts a run of each datasource. A failure is logged and does not affect other datasources.
 *
 * @returns the number of started runs
 */
export async function startRunForEach<Candidate extends { readonly id: string }>(
  { db, log, outboxWritten, changes }: Pick<Gateway, 'db' | 'log' | 'outboxWritten' | 'changes'>,
  candidates: readonly Candidate[],
  { start, problem, postpone }: StartOptions<Candidate>,
): Promise<number> {
  let started = 0;
  for (const candidate of candidates) {
    try {
      if (!(await db.transaction(async (tx) => start(tx, candidate)))) continue;
      started += 1;
      changes.publish({ kind: 'datasource', id: candidate.id });
    } catch (error) {
      log.error({ err: redactQueryParameters(error), datasourceId: candidate.id }, problem);
      await postpone?.(candidate);
    }
  }
  if (started > 0) outboxWritten.wake();
  return started;
}
