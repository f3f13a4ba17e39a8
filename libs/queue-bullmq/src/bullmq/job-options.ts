import type { JobPayloads, QueueContract } from '@quarry/contracts';
import type { JobsOptions } from 'bullmq';
import type { AddOptions } from '@quarry/queue';

/**
 * Number of attempts that disables BullMQ's own limit, because `runJob` decides when a job fails. BullMQ stores it in 32 bits.
 */
export const NO_LIMIT = 1_000_000_000;

/** Number of stack traces stored with a job. All stack traces of a job with a thousand attempts would take a megabyte. */
const MAX_STACK_TRACES = 3;

/** The name of the backoff strategy that the consumer computes from the contract. */
const BACKOFF = { type: 'contract' };

/**
 * Returns BullMQ's options for a job. Finished jobs are removed by age and not by count: on PostgreSQL, counting slows down with
 * each stored job and can deadlock.
 */
export function createJobOptions<Jobs extends JobPayloads>(
  contract: QueueContract<Jobs>,
  id: string,
  { delayMs, traceparent }: AddOptions,
): JobsOptions {
  return {
    jobId: id,
    attempts: NO_LIMIT,
    backoff: BACKOFF,
    stackTraceLimit: MAX_STACK_TRACES,
    removeOnComplete: { age: contract.keepCompletedSeconds },
    removeOnFail: { age: contract.keepFailedSeconds },
    ...(delayMs === undefined ? {} : { delay: delayMs }),
    ...(traceparent !== undefined && { telemetry: buildTraceOptions(traceparent) }),
  };
}

/** Sets the given trace context. `omitContext` prevents BullMQ from replacing it with the context of the current process. */
function buildTraceOptions(traceparent: string): NonNullable<JobsOptions['telemetry']> {
  return { metadata: JSON.stringify({ traceparent }), omitContext: true };
}
