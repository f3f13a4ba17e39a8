import type { JobPayloads, QueueContract } from '@quarry/contracts';
import { currentTrace } from '@quarry/service-kit';
import type { Queries } from '../database/database.js';
import { outbox } from '../database/tables/outbox.js';

/** A job to be published once the transaction that writes it has committed. */
export interface OutboxJob {
  readonly queue: string;
  readonly name: string;
  readonly payload: object;
}

/** Names a job as its contract does, so that only jobs that exist can be written. */
export function outboxJob<Jobs extends JobPayloads, Name extends keyof Jobs & string>(
  contract: QueueContract<Jobs>,
  name: Name,
  payload: Jobs[Name],
): OutboxJob {
  return { queue: contract.name, name, payload };
}

/** A statement takes 65,535 parameters. */
const ROWS_AT_ONCE = 5_000;

/** @param tx the transaction that writes what the jobs are about */
export async function writeOutbox(tx: Queries, organizationId: string, jobs: readonly OutboxJob[]): Promise<void> {
  const traceparent = currentTrace() ?? null;
  for (let start = 0; start < jobs.length; start += ROWS_AT_ONCE) {
    const some = jobs.slice(start, start + ROWS_AT_ONCE);
    await tx.insert(outbox).values(some.map((job) => ({ ...job, organizationId, traceparent })));
  }
}
