import type { JobPayloads, QueueContract } from '@quarry/contracts';
import type { JobsOptions } from 'bullmq';
import type { AddOptions } from '@quarry/queue';

/** Jobs fail where they run (see `runJob`), never by BullMQ's own count. It keeps the count in 32 bits. */
export const WITHOUT_LIMIT = 1_000_000_000;

/** How many stacks are kept with a job: a job with a thousand attempts would grow to a megabyte. */
const STACKS_KEPT = 3;

/** The name of the backoff that the consumer computes from the contract. */
const BACKOFF = { type: 'contract' };

/**
 * How BullMQ keeps a job. Finished jobs go by their age, never by their number: on PostgreSQL counting them costs more with
 * each one kept, and can deadlock.
 */
export function jobOptions<Jobs extends JobPayloads>(
  contract: QueueContract<Jobs>,
  id: string,
  { delayMs, traceparent }: AddOptions,
): JobsOptions {
  return {
    jobId: id,
    attempts: WITHOUT_LIMIT,
    backoff: BACKOFF,
    stackTraceLimit: STACKS_KEPT,
    removeOnComplete: { age: contract.keepCompletedSeconds },
    removeOnFail: { age: contract.keepFailedSeconds },
    ...(delayMs === undefined ? {} : { delay: delayMs }),
    ...(traceparent !== undefined && { telemetry: ofTrace(traceparent) }),
  };
}

/** The trace that is given, and not that of who hands the job on, which is what BullMQ calls the context. */
function ofTrace(traceparent: string): NonNullable<JobsOptions['telemetry']> {
  return { metadata: JSON.stringify({ traceparent }), omitContext: true };
}
