import { type CatalogJobs, type DatasourceStatusJobs, reasonCodeOf } from '@quarry/contracts';
import type { JobContext, JobFailure, Producer } from '@quarry/queue-bullmq';
import { reportFailure } from '../run/run-reporter.js';

interface SettleContext {
  readonly status: Pick<Producer<DatasourceStatusJobs>, 'add'>;
  readonly now: () => Date;
}

/** Ends the run of a job that failed for good. One whose payload names no run is left to the gateway's watchdog. */
export async function settleFailedRun(
  context: SettleContext,
  failure: JobFailure<CatalogJobs>,
  job: JobContext,
): Promise<void> {
  const { code, message } = failure.reason;
  if (!failure.readable) {
    job.log.error({ code }, message);
    return;
  }
  await reportFailure(context, failure.payload, { starts: job.starts, code: reasonCodeOf(code), message });
}
