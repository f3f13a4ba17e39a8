import type { JobPayloads, QueueContract } from '@quarry/contracts';
import type { JobsOptions } from 'bullmq';
import type { AddOptions } from '@quarry/queue';

/**
 * Number of attempts that is passed to BullMQ and that no job reaches. It disables BullMQ's limit of attempts, because
 * `runJob` decides when a job fails. BullMQ stores the number in 32 bits.
 */
export const NO_LIMIT = 1_000_000_000;

/**
 * Maximum number of stack traces that BullMQ stores with a job. The stack traces of a thousand attempts would take a
 * megabyte.
 */
const MAX_STACK_TRACES = 3;

/** Selects the custom backoff of BullMQ: the consumer computes the delay from the contract of the queue. */
const BACKOFF = { type: 'contract' };

/**
 * Returns BullMQ's options for a job. Finished jobs are removed by age and not by number: on PostgreSQL, the count of
 * jobs becomes slower with each stored job and can cause a deadlock.
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

/**
 * Returns BullMQ's options that set the trace context of a job. `omitContext` prevents BullMQ from storing the current
 * trace context instead.
 */
function buildTraceOptions(traceparent: string): NonNullable<JobsOptions['telemetry']> {
  return { metadata: JSON.stringify({ traceparent }), omitContext: true };
}
