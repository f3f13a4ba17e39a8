import { type CatalogJobs, reasonCodeOf } from '@quarry/contracts';
import type { JobContext, JobFailure } from '@quarry/queue-bullmq';
import { runReporter, type Reporting } from '@quarry/run-reporting';

/** Ends the run of a job that failed for good. One whose payload names no run is left to the gateway's watchdog. */
export async function settleFailedRun(
  context: Reporting,
  failure: JobFailure<CatalogJobs>,
  job: Pick<JobContext, 'starts' | 'log'>,
): Promise<void> {
  const { code, message } = failure.reason;
  if (!failure.readable) {
    job.log.error({ code }, message);
    return;
  }
  const { datasourceId, runId } = failure.payload;
  const reporter = runReporter(context, { datasourceId, runId, starts: job.starts, phase: 'whole' });
  await reporter.settled({ status: 'error', code: reasonCodeOf(code), message });
}
