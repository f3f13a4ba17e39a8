import type { Queries } from '../database/database.js';
import { withoutParameters } from '../database/query-error.js';
import type { Gateway } from '../gateway.js';

/**
 * Starts runs of datasources, each in a transaction of its own: one that cannot be started is logged, and does not keep the
 * others waiting.
 *
 * @param start resolves with whether there was something to start
 * @param trouble what is logged of one that cannot be started
 * @returns how many were started
 */
export async function startEach<Candidate extends { readonly id: string }>(
  { db, log, outboxWritten }: Pick<Gateway, 'db' | 'log' | 'outboxWritten'>,
  candidates: readonly Candidate[],
  start: (tx: Queries, candidate: Candidate) => Promise<boolean>,
  trouble: string,
): Promise<number> {
  let started = 0;
  for (const candidate of candidates) {
    try {
      if (await db.transaction(async (tx) => start(tx, candidate))) started += 1;
    } catch (error) {
      log.error({ err: withoutParameters(error), datasourceId: candidate.id }, trouble);
    }
  }
  if (started > 0) outboxWritten.wake();
  return started;
}
